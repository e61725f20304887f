package jdiff.launcher.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import jdiff.launcher.Names;
import jdiff.launcher.Policy;
import jdiff.launcher.report.RankResult;
import jdiff.launcher.report.WorkerFailure;
import org.apache.logging.log4j.LogManager;
import org.jspecify.annotations.Nullable;

/** Watches the workers of one attempt until nothing of them is left. Exits are events; the loop also looks by itself now and then. */
final class WorkerGroup {
    private static final long COLLECT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long BUSY_MILLIS = 20;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Policy policy;
    private final boolean verb;
    private final Duration early;
    private final BlockingQueue<Event> events;
    private final List<Worker> workers = new ArrayList<>();
    private final long killsBefore = OutOfMemory.kills();
    private int order;
    private long firstFailureNanos;
    private boolean failed;
    private volatile boolean warnedEarly;
    private @Nullable StopSequence stopping;
    private @Nullable String signal;
    private long signalNanos;
    private boolean toldToWait;

    /** @param early how long after a rank's end with 0 a warning names those that still run */
    WorkerGroup(Policy policy, boolean verb, Duration early, BlockingQueue<Event> events) {
        this.early = early;
        this.policy = policy;
        this.verb = verb;
        this.events = events;
    }

    /**
     * How it ended.
     *
     * @param signal the stop signal that ended it, or null
     * @param unkillable processes that survived SIGKILL
     */
    record Outcome(List<RankResult> results, @Nullable String signal, List<ProcessTable.Member> unkillable) {}

    void add(Worker worker) {
        workers.add(worker);
    }

    /** Runs until every process group is empty, or what is left cannot be killed. */
    Outcome supervise() throws InterruptedException {
        while (true) {
            Event event = events.poll(pauseMillis(), TimeUnit.MILLISECONDS);
            long now = System.nanoTime();
            if (event != null) {
                handle(event, now);
            }
            boolean gone = look(now);
            if (gone || (stopping != null && stopping.isGivenUp(now))) {
                return outcome();
            }
        }
    }

    /** Whether a rank's early end has been warned about. */
    boolean hasWarnedEarly() {
        return warnedEarly;
    }

    /** Asks for the end of all workers from outside the loop's events, after a failed start. */
    void abandon() {
        if (stopping == null) {
            stopping = StopSequence.afterFailure(workers, policy.grace(), System.nanoTime());
        }
    }

    private long pauseMillis() {
        boolean busy = failed || stopping != null || workers.stream().anyMatch(Worker::hasEnded);
        return busy
                ? BUSY_MILLIS
                : Math.max(BUSY_MILLIS, policy.monitorInterval().toMillis());
    }

    private void handle(Event event, long now) {
        if (event instanceof Event.Ended ended) {
            workers.stream()
                    .filter(worker -> worker.child() == ended.child() && !worker.hasEnded())
                    .forEach(worker -> end(worker, now));
        } else if (event instanceof Event.Stop stop) {
            stop(stop.signal(), now);
        } else if (event instanceof Event.Drain drain) {
            drain(drain.signal());
        }
    }

    private void end(Worker worker, long now) {
        RankResult result = worker.end(order++, OutOfMemory.kills() > killsBefore, now);
        if (result.isFailure(verb) && !result.stopped() && !failed) {
            failed = true;
            firstFailureNanos = now;
        }
    }

    /** The first signal is forwarded, a second one kills. */
    private void stop(String name, long now) {
        if (signal != null && stopping != null) {
            stopping.kill(now);
            return;
        }
        signal = name;
        signalNanos = now;
        if (stopping == null) {
            stopping = StopSequence.onSignal(workers, policy.grace(), now, name);
        } else {
            stopping.forward(name);
        }
    }

    private void drain(String name) {
        for (Worker worker : workers) {
            if (worker.spec().controlled()) {
                worker.child().tell(Names.DRAIN);
            } else {
                worker.child().signal(name);
            }
        }
    }

    /** One round of looking; true if nothing is left. */
    private boolean look(long now) {
        for (Worker worker : workers) {
            if (!worker.hasEnded() && !worker.child().isRunning()) {
                end(worker, now);
            }
        }
        if (failed && stopping == null && now - firstFailureNanos >= COLLECT_NANOS) {
            stopping = StopSequence.afterFailure(workers, policy.grace(), now);
        }
        if (stopping != null) {
            boolean before = stopping.isKilling();
            stopping.advance(now);
            if (!before && stopping.isKilling()) {
                warnKilled();
            }
        }
        tellToWait(now);
        warnEarly(now);
        boolean gone = true;
        for (Worker worker : workers) {
            gone &= worker.isGone(now, stopping != null, policy.grace());
        }
        return gone;
    }

    private List<Integer> alive() {
        return workers.stream()
                .filter(worker -> !worker.hasEnded())
                .map(worker -> worker.spec().rank())
                .toList();
    }

    /** Who pressed Ctrl-C wants to know why nothing happens, and what to do. */
    private void tellToWait(long now) {
        if (toldToWait || signal == null || stopping == null || stopping.isKilling()) {
            return;
        }
        if (now - signalNanos >= PATIENCE_NANOS && !alive().isEmpty()) {
            toldToWait = true;
            LogManager.getLogger()
                    .warn(
                            "SIG{}: waiting up to {} s for {} to stop; a second signal kills at once",
                            signal,
                            policy.grace().toSeconds(),
                            WorkerFailure.ranks(alive()));
        }
    }

    private void warnKilled() {
        List<Integer> alive = alive();
        if (!alive.isEmpty()) {
            LogManager.getLogger()
                    .warn(
                            "{} did not stop within {} s and will be killed",
                            WorkerFailure.ranks(alive),
                            policy.grace().toMillis() / 1000.0);
        }
    }

    /** A rank that left early may leave others waiting in a collective for ever. */
    private void warnEarly(long now) {
        if (warnedEarly || stopping != null || failed) {
            return;
        }
        List<Integer> ended = new ArrayList<>();
        List<Integer> running = new ArrayList<>();
        for (Worker worker : workers) {
            if (!worker.hasEnded()) {
                running.add(worker.spec().rank());
            } else if (now - worker.endedNanos() >= early.toNanos()) {
                ended.add(worker.spec().rank());
            }
        }
        if (!ended.isEmpty() && !running.isEmpty()) {
            warnedEarly = true;
            LogManager.getLogger()
                    .warn(
                            "{} ended with exit code 0 more than {} s ago, but {} still run",
                            WorkerFailure.ranks(ended),
                            early.toSeconds(),
                            WorkerFailure.ranks(running));
        }
    }

    private Outcome outcome() {
        List<RankResult> results = new ArrayList<>();
        List<ProcessTable.Member> left = new ArrayList<>();
        for (Worker worker : workers) {
            RankResult result = worker.result();
            if (result != null) {
                results.add(result);
            }
            left.addAll(worker.child().members());
        }
        return new Outcome(results, failed ? null : signal, left);
    }
}
