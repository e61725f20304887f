/**
 * Processes, not tensors: what the user asked ({@link jdiff.launcher.JobSpec}) becomes data
 * ({@link jdiff.launcher.LaunchPlan}, one {@link jdiff.launcher.ProcessSpec} per rank), and the data becomes watched processes
 * ({@link jdiff.launcher.Launcher}). Nothing here loads libtorch or knows the command line library.
 *
 * <p>Words: a <em>worker</em> is the process of one rank; the <em>local rank</em> counts within a node; an <em>attempt</em>
 * counts restarts of the job. Times are monotonic unless a text is meant.
 *
 * <p>Packages: {@code host} reads facts of this machine, {@code store} is the rendezvous server, {@code log} the workers'
 * output, {@code process} starts, watches and stops, {@code report} explains failures. A new way to start ranks (a batch
 * system) is one more consumer of {@link jdiff.launcher.LaunchPlan}.
 */
@NullMarked
package jdiff.launcher;

import org.jspecify.annotations.NullMarked;
