/**
 * From a number of steps to noise levels, and one integration step from one level to the next. <em>sigma</em> is the noise
 * level, 1 at pure noise, 0 at the picture; <em>t</em> the timestep that a model is told, sigma times the number of training
 * steps. A new scheduler is one class that implements {@link jdiff.runtime.scheduler.Scheduler}; which of them a model family
 * takes is said by its loader in {@code pipeline}.
 */
@NullMarked
package jdiff.runtime.scheduler;

import org.jspecify.annotations.NullMarked;
