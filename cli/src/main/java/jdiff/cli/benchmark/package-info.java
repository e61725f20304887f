/**
 * What {@code scripts/bench} starts besides the product itself: {@link jdiff.cli.benchmark.LoadMain} measures how a model gets
 * into memory. Each prints one JSON line; what is compared with what is decided by the script.
 */
@NullMarked
package jdiff.cli.benchmark;

import org.jspecify.annotations.NullMarked;
