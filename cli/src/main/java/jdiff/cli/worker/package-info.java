/**
 * The entry of worker JVMs, for jdiff's verbs and for any other program: control pipe on stdin, results on descriptor 3, an error
 * file for what nobody caught. {@link jdiff.cli.worker.WorkerControl} is where a verb learns that it shall drain; a new control word is
 * one more case there and a constant in {@link jdiff.launcher.Names}.
 */
@NullMarked
package jdiff.cli.worker;

import org.jspecify.annotations.NullMarked;
