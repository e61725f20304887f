/**
 * The workers' output: pipes in, whole lines out. {@link jdiff.launcher.log.LogMux} owns one {@link jdiff.launcher.log.RankLog}
 * per worker, which decides for each stream whether a line goes to the console, a file, or both; the last lines of stderr are
 * always kept for the report. A new destination is one more branch in {@link jdiff.launcher.log.RankLog}.
 */
@NullMarked
package jdiff.launcher.log;

import org.jspecify.annotations.NullMarked;
