package jdiff.runtime.scheduler;

/** Settings of one scheduler; makes a {@link Solver} for each job. */
public interface Scheduler {
    /**
     * A solver for one job.
     *
     * @throws IllegalArgumentException if the request cannot be met
     */
    Solver start(StepRequest request);
}
