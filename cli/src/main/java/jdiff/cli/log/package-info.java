/**
 * The console's log: {@code jdiff: message} on stderr, through Log4j2's API with a provider of our own. Why not log4j-core:
 * {@code cli/docs/decisions/001-console-logging.md}.
 */
@NullMarked
package jdiff.cli.log;

import org.jspecify.annotations.NullMarked;
