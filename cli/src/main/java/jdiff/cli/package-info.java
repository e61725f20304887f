/**
 * The only executable: commands, help, exit codes. One class per verb; each parses to a record, calls one service and prints.
 *
 * <p>{@link jdiff.cli.Jdiff} is the root and {@code main}; a new verb is one class and one line in {@link jdiff.cli.Verbs}; a
 * verb that can run on ranks implements {@link jdiff.cli.RankVerb}. Packages: {@code launch} and {@code generate} the two large
 * verbs, {@code doctor} what a machine has, {@code worker} the entry of worker JVMs, {@code log} the console's log format,
 * {@code gpu} the program behind {@code scripts/gpu-check}.
 */
@NullMarked
package jdiff.cli;

import org.jspecify.annotations.NullMarked;
