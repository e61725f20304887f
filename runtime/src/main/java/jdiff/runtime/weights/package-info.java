/**
 * From a model folder to parameters in memory. {@link jdiff.runtime.safetensors.SafetensorsFile} validates one header,
 * {@link jdiff.runtime.weights.Checkpoint} maps names to places over an index, {@link jdiff.runtime.weights.Weights} is the
 * cursor that models read their parameters from. No weight byte is read before every name and shape has been checked: why a
 * model is built twice for that is in {@code runtime/docs/decisions/003-two-passes.md}. A new weight format is another source of
 * {@link jdiff.runtime.weights.Checkpoint} entries.
 */
@NullMarked
package jdiff.runtime.weights;

import org.jspecify.annotations.NullMarked;
