package jdiff.runtime.scheduler;

import java.util.List;
import jdiff.runtime.tensor.Tensor;

/**
 * The integration of one job. Solvers of higher order remember earlier predictions, so a solver serves one job, its steps are
 * taken in order, and it is closed in the end.
 */
public interface Solver extends AutoCloseable {
    /** All steps, in order. */
    List<Step> steps();

    /**
     * The latents after a step; same shape.
     *
     * @param latents what the step before returned
     * @param prediction the model's velocity at {@code step.t()}
     */
    Tensor step(Tensor latents, Tensor prediction, Step step);

    /** Frees what is remembered. */
    @Override
    default void close() {}
}
