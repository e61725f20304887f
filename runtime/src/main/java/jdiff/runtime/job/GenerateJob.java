package jdiff.runtime.job;

import java.io.IOException;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import jdiff.runtime.distributed.Store;
import jdiff.runtime.distributed.World;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.loading.LoadMeter;
import jdiff.runtime.pipeline.Pipeline;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Data parallel generation, seen from one rank: it takes prompts, makes their pictures, writes the files, and hands the results
 * to rank 0. What a file holds depends on its prompt, the options and the seed only, never on ranks, split or neighbours.
 */
public final class GenerateJob {
    private static final Logger LOG = LogManager.getLogger();
    private static final String PLAN = "job/plan";
    /** Counting the lines of a very long prompt file takes a while. */
    private static final Duration PLAN_TIMEOUT = Duration.ofMinutes(10);

    private static final long POLL_NANOS = 50_000_000;

    private final World world;
    private final JobSettings settings;
    private final PromptSource prompts;
    private final DpSplit split;
    private final Trace trace;

    /** Loads the model and counts its bytes. */
    @FunctionalInterface
    public interface Opener {
        Pipeline open(LoadMeter meter) throws IOException;
    }

    /** The job of this rank; all arguments but {@code world} must be equal on all ranks. */
    public GenerateJob(World world, JobSettings settings, PromptSource prompts, DpSplit split, Trace trace) {
        this.world = world;
        this.settings = settings;
        this.prompts = prompts;
        this.split = split;
        this.trace = trace;
    }

    /**
     * Plans (rank 0 alone), loads the model, makes what there is to make.
     *
     * @param planner used by rank 0
     * @param listener used by rank 0
     * @param stop asked before each prompt: true lets this rank take no more of them
     * @return of the whole job on rank 0, of this rank's own prompts on the others
     * @throws FaultException whatever ends the job: folder not writable, model unusable, store lost
     */
    public JobOutcome run(JobPlanner planner, Opener opener, JobListener listener, BooleanSupplier stop)
            throws IOException {
        Store store = world.store();
        if (world.rank() > 0) {
            String plan = store.getText(PLAN, PLAN_TIMEOUT);
            JobOutcome outcome = work(JobPlan.parse(plan), opener, JobListener.NONE, stop, () -> {});
            awaitAll(store);
            return outcome;
        }
        JobPlan plan = planner.prepare();
        try {
            return lead(plan, speaking(opener, planner), listener, stop);
        } catch (IOException | RuntimeException | Error e) {
            planner.abandon();
            throw e;
        }
    }

    /** Tells what the user should know of the requests, once the model is there to make them. */
    private static Opener speaking(Opener opener, JobPlanner planner) {
        return meter -> {
            Pipeline pipeline = opener.open(meter);
            planner.notes().forEach(LOG::warn);
            return pipeline;
        };
    }

    /** The part of rank 0: its own prompts, and the results of all. */
    private JobOutcome lead(JobPlan plan, Opener opener, JobListener listener, BooleanSupplier stop)
            throws IOException {
        Store store = world.store();
        store.set(PLAN, plan.toJson());
        listener.planned(plan);
        Results results = new Results(store, world.size(), settings, prompts, plan, listener);
        Thread gatherer = new Thread(results, "results");
        gatherer.setDaemon(true);
        gatherer.start();
        try {
            work(plan, opener, listener, stop, results::check);
            join(gatherer);
            results.check();
            return results.outcome();
        } finally {
            results.cancel();
            join(gatherer);
        }
    }

    /** Lets the job fail where it stands. */
    @FunctionalInterface
    private interface Check {
        void run() throws IOException;
    }

    private JobOutcome work(JobPlan plan, Opener opener, JobListener listener, BooleanSupplier stop, Check check)
            throws IOException {
        int done = 0;
        int failed = 0;
        Store store = world.store();
        try (Pipeline pipeline = open(opener, listener);
                JobCursor cursor = new JobCursor(prompts, settings, plan.baseSeed())) {
            trace.event("loaded");
            listener.loaded();
            StepMeter meter = new StepMeter(store, trace);
            PromptWork work = new PromptWork(settings, plan, prompts, pipeline, meter);
            DpSplit.Share share = split.of(world, plan.numPrompts());
            while (!stop.getAsBoolean()) {
                OptionalInt position = share.next();
                if (position.isEmpty()) {
                    break;
                }
                check.run();
                PromptJob job = cursor.advanceTo(position.getAsInt());
                PromptResult result = work.make(job);
                Results.deliver(store, position.getAsInt(), result);
                meter.promptDone(job.numSteps());
                done += result.isDone() ? 1 : 0;
                failed += result.isDone() ? 0 : 1;
            }
        }
        Results.leave(store);
        trace.event("done");
        LOG.debug("rank {} has made {} prompts, {} failed", world.rank(), done, failed);
        return new JobOutcome(done, failed, 0);
    }

    private Pipeline open(Opener opener, JobListener listener) throws IOException {
        try (LoadReporter reporter = new LoadReporter(world.store(), listener)) {
            return opener.open(reporter.meter());
        }
    }

    /** Stays until the job is over, with the model freed: a rank that leaves early would look like one that died. */
    private static void awaitAll(Store store) {
        while (!Results.allGathered(store)) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
