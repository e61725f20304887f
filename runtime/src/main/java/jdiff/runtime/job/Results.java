package jdiff.runtime.job;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import jdiff.runtime.distributed.Store;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.image.AtomicFile;
import org.jspecify.annotations.Nullable;

/**
 * Gathers on rank 0 what all ranks made, in prompt order and while they are at work: tells the listener and writes the manifest.
 * It only ever asks the store for what is there, so a rank that died holds it up no longer than the launcher takes to end the
 * job.
 */
final class Results implements Runnable {
    private static final long POLL_NANOS = 50_000_000;
    private static final Duration AT_ONCE = Duration.ofSeconds(10);
    private static final String LEFT = "job/left";
    private static final String ALL_GATHERED = "job/gathered";

    private final Store store;
    private final int worldSize;
    private final JobSettings settings;
    private final PromptSource prompts;
    private final JobPlan plan;
    private final JobListener listener;
    private volatile boolean cancelled;
    private volatile @Nullable Throwable failure;
    private int done;
    private int failed;
    private int unfinished;
    private long pictures;

    Results(
            Store store,
            int worldSize,
            JobSettings settings,
            PromptSource prompts,
            JobPlan plan,
            JobListener listener) {
        this.store = store;
        this.worldSize = worldSize;
        this.settings = settings;
        this.prompts = prompts;
        this.plan = plan;
        this.listener = listener;
    }

    /** Hands a result of any rank to rank 0. */
    static void deliver(Store store, int position, PromptResult result) {
        store.set(key(position), Manifest.line(result));
    }

    /** This rank takes no more prompts; its results are delivered. */
    static void leave(Store store) {
        store.add(LEFT, 1);
    }

    static boolean allGathered(Store store) {
        return store.contains(ALL_GATHERED);
    }

    private static String key(int position) {
        return "job/result/" + position;
    }

    @Override
    public void run() {
        try {
            gather();
            if (!cancelled) {
                store.set(ALL_GATHERED, "1");
            }
        } catch (IOException | RuntimeException | Error e) {
            failure = e;
        }
    }

    /** Ends the gathering early; no manifest is written. */
    void cancel() {
        cancelled = true;
    }

    /** Throws what went wrong in gathering so far. */
    void check() throws IOException {
        Throwable e = failure;
        if (e instanceof IOException io) {
            throw io;
        }
        if (e instanceof RuntimeException runtime) {
            throw runtime;
        }
        if (e instanceof Error error) {
            throw error;
        }
    }

    JobOutcome outcome() {
        return new JobOutcome(done, failed, unfinished);
    }

    private void gather() throws IOException {
        try (Spool lines = new Spool(plan.folder().resolve(OutputFolder.META))) {
            if (gatherInto(lines)) {
                AtomicFile.write(plan.folder().resolve(Manifest.FILE), lines::copyTo, AtomicFile.UNCHECKED);
                listener.progress(StepMeter.total(store), pictures);
            }
        } catch (FaultException e) {
            throw e;
        } catch (IOException e) {
            throw new FaultException(
                    Fault.OUTPUT, plan.folder() + ": the manifest cannot be written: " + e.getMessage(), e);
        }
    }

    /** Collects the manifest as results come in; false if it was cancelled before the last one. */
    private boolean gatherInto(Spool lines) throws IOException {
        try (JobCursor cursor = new JobCursor(prompts, settings, plan.baseSeed())) {
            int position = 0;
            for (JobCursor.Item item = cursor.next(); item != null; item = cursor.next()) {
                PromptResult result = item.job() == null ? bad(item) : await(position++);
                if (cancelled) {
                    return false;
                }
                if (result == null) {
                    unfinished++;
                } else {
                    tell(result);
                    lines.add(Manifest.line(result));
                }
            }
            return true;
        }
    }

    private PromptResult bad(JobCursor.Item item) {
        String cause = prompts.place(item.index()) + ": " + item.problem();
        return new PromptResult(
                item.index(), "", cause, null, settings.model(), plan.fingerprint(), settings.dtype(), List.of());
    }

    private void tell(PromptResult result) {
        if (result.isDone()) {
            done++;
            for (ResultFile made : result.files()) {
                pictures++;
                listener.finished(plan.folder().resolve(made.name()));
            }
        } else {
            failed++;
            listener.failed(result.cause());
        }
    }

    /** The result of a prompt, or null if no rank is left that could make it. */
    private @Nullable PromptResult await(int position) throws FaultException {
        String key = key(position);
        while (!cancelled) {
            // Asked before the key: who has left had delivered everything.
            boolean nobodyLeft = store.add(LEFT, 0) >= worldSize;
            if (store.contains(key)) {
                String line = store.getText(key, AT_ONCE);
                store.delete(key);
                return Manifest.parse("result " + position, line);
            }
            if (nobodyLeft) {
                return null;
            }
            listener.progress(StepMeter.total(store), pictures);
            LockSupport.parkNanos(POLL_NANOS);
        }
        return null;
    }
}
