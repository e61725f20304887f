package jdiff.runtime.pipeline;

/** Told after each denoising step of a request. */
@FunctionalInterface
public interface StepListener {
    StepListener NONE = (step, total) -> {};

    /**
     * Called on the thread that generates; it should return at once.
     *
     * @param step steps done, from 1 on
     * @param total steps of the whole request, all its pictures together
     */
    void stepDone(int step, int total);
}
