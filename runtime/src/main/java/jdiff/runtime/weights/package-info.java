/**
 * From a model folder to parameters in memory. {@link jdiff.runtime.weights.Variants} chooses the files of each component,
 * {@link jdiff.runtime.weights.Checkpoint} maps names to places in them, {@link jdiff.runtime.weights.Weights} is the cursor
 * that models take their parameters from, {@link jdiff.runtime.weights.LoadPlan} what that comes to for this rank, and
 * {@link jdiff.runtime.weights.Loading} reads the plans of all components together. No weight byte is read before every name
 * and shape has been checked: why a model is built twice for that is in {@code runtime/docs/decisions/003-two-passes.md}.
 * {@link jdiff.runtime.weights.WeightSurvey} looks at damaged folders for reports. A new weight format is another source of
 * {@link jdiff.runtime.weights.Checkpoint} entries.
 */
@NullMarked
package jdiff.runtime.weights;

import org.jspecify.annotations.NullMarked;
