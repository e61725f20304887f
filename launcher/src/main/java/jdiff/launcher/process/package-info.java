/**
 * Starts, watches and stops processes on this host. {@link jdiff.launcher.process.LocalLauncher} walks through the phases of a
 * job; {@link jdiff.launcher.process.WorkerGroup} is a single-threaded loop over events (a worker ended, a signal came, a
 * deadline passed), so its decisions need no locks; {@link jdiff.launcher.process.Guard} outlives the launcher by one second and
 * kills what it left. A new reason to stop is one more {@link jdiff.launcher.process.Event}.
 *
 * <p>Every child runs in a session of its own: its pid is its process group. Only such groups are ever signalled.
 */
@NullMarked
package jdiff.launcher.process;

import org.jspecify.annotations.NullMarked;
