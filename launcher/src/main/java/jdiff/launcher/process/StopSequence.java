package jdiff.launcher.process;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jdiff.launcher.Names;
import org.jspecify.annotations.Nullable;

/**
 * The way from asking workers to stop to SIGKILL. After a failure Java workers get {@code abort}, a second later TERM, and must
 * be gone in 2 s; programs get TERM and the grace. On a signal all get that signal once and the grace. What survives SIGKILL for
 * 5 s is given up.
 */
final class StopSequence {
    private static final long ABORT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long JAVA_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long UNKILLABLE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final List<Worker> workers;
    private final Duration grace;
    private final long begunNanos;
    private final @Nullable String signal;
    private boolean termSent;
    private boolean javaKilled;
    private boolean killed;
    private long killedNanos;

    private StopSequence(List<Worker> workers, Duration grace, long nowNanos, @Nullable String signal) {
        this.workers = workers;
        this.grace = grace;
        this.begunNanos = nowNanos;
        this.signal = signal;
    }

    static StopSequence afterFailure(List<Worker> workers, Duration grace, long nowNanos) {
        var sequence = new StopSequence(workers, grace, nowNanos, null);
        for (Worker worker : workers) {
            worker.markStopped();
            if (worker.spec().controlled()) {
                worker.child().tell(Names.ABORT);
            } else {
                worker.child().signal("TERM");
            }
        }
        return sequence;
    }

    static StopSequence onSignal(List<Worker> workers, Duration grace, long nowNanos, String signal) {
        var sequence = new StopSequence(workers, grace, nowNanos, signal);
        sequence.forward(signal);
        return sequence;
    }

    /** The signal that began it; null after a failure. */
    @Nullable String signal() {
        return signal;
    }

    void forward(String name) {
        for (Worker worker : workers) {
            worker.markStopped();
            worker.child().signal(name);
        }
    }

    /** Takes the steps whose time has come. */
    void advance(long nowNanos) {
        long passed = nowNanos - begunNanos;
        if (signal == null) {
            if (!termSent && passed >= ABORT_NANOS) {
                termSent = true;
                workers.stream()
                        .filter(worker -> worker.spec().controlled())
                        .forEach(worker -> worker.child().signal("TERM"));
            }
            if (!javaKilled && passed >= Math.min(JAVA_NANOS, grace.toNanos())) {
                javaKilled = true;
                workers.stream()
                        .filter(worker -> worker.spec().controlled())
                        .forEach(worker -> worker.child().signal("KILL"));
            }
        }
        if (!killed && passed >= grace.toNanos()) {
            kill(nowNanos);
        }
    }

    /** SIGKILL to every group that still has members, leader alive or not. */
    void kill(long nowNanos) {
        if (!killed) {
            killed = true;
            killedNanos = nowNanos;
        }
        workers.forEach(worker -> worker.child().signal("KILL"));
    }

    boolean isKilling() {
        return killed;
    }

    boolean isGivenUp(long nowNanos) {
        return killed && nowNanos - killedNanos > UNKILLABLE_NANOS;
    }
}
