package jdiff.runtime.job;

import java.nio.file.Path;

/**
 * Told, on rank 0, how the whole job gets on. {@link #planned} comes first; then {@link #loaded} on the thread of the rank, and all
 * others one at a time on the thread that gathers results, which may be at work already.
 */
public interface JobListener {
    JobListener NONE = new JobListener() {};

    /** Everything is settled and the model is about to be loaded. */
    default void planned(JobPlan plan) {}

    /**
     * Weights are on their way; called from another thread than the rest.
     *
     * @param doneBytes in place, on all ranks together
     * @param totalBytes known so far to be wanted; 0 before a rank has planned its load
     */
    default void loading(long doneBytes, long totalBytes) {}

    /** This rank has loaded its model. */
    default void loaded() {}

    /**
     * Some work is done, by whichever rank.
     *
     * @param steps denoising steps done in all
     * @param pictures finished in all
     */
    default void progress(long steps, long pictures) {}

    /** A file is complete; in prompt order. */
    default void finished(Path file) {}

    /** A prompt has failed; in prompt order. {@code cause} names the place of the prompt. */
    default void failed(String cause) {}
}
