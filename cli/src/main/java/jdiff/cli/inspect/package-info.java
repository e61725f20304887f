/**
 * {@code jdiff inspect}: what a model folder holds and what a rank would load of it, from headers alone.
 * {@link jdiff.cli.inspect.Inspector} gathers a {@link jdiff.cli.inspect.ModelReport}; {@link jdiff.cli.inspect.TextReport} and
 * {@link jdiff.cli.inspect.JsonReport} show it. A new thing to tell is one more part of the report, shown in both.
 */
@NullMarked
package jdiff.cli.inspect;

import org.jspecify.annotations.NullMarked;
