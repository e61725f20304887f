/**
 * {@code jdiff launch}: options to a {@link jdiff.launcher.JobSpec}, signals to the {@link jdiff.launcher.Launcher}. Options
 * stand in one mixin per heading of the help, and a new one is a field there and its use in
 * {@link jdiff.cli.launch.JobBuilder}; an option that is known but not built is in
 * {@link jdiff.cli.launch.UnbuiltOptions}.
 */
@NullMarked
package jdiff.cli.launch;

import org.jspecify.annotations.NullMarked;
