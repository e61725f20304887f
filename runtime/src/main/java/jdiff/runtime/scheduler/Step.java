package jdiff.runtime.scheduler;

/**
 * One integration step.
 *
 * @param index number of the step, from 0
 * @param t timestep to tell the model; a float32 or whole number
 * @param sigma noise level before the step
 * @param nextSigma noise level after it
 */
public record Step(int index, double t, float sigma, float nextSigma) {}
