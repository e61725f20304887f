/**
 * The entry of worker JVMs, for jdiff's verbs and for any other program: control pipe on stdin, results on descriptor 3, an error
 * file for what nobody caught. {@link jdiff.cli.worker.WorkerControl} is where a verb learns that it shall drain.
 */
@NullMarked
package jdiff.cli.worker;

import org.jspecify.annotations.NullMarked;
