/**
 * {@code jdiff generate}: options, their check without libtorch, the run of one rank, progress and dry run. An option of a
 * request is a constant in {@link jdiff.runtime.pipeline.RequestOption} and appears here by itself; any other belongs into one of
 * the option classes and into {@link jdiff.cli.generate.GenerateSpec}.
 */
@NullMarked
package jdiff.cli.generate;

import org.jspecify.annotations.NullMarked;
