/**
 * Layers: what a model is made of. A layer takes its parameters from a {@link jdiff.runtime.weights.Weights} cursor in its
 * constructor, is immutable afterwards and says once how it is sharded. {@link jdiff.runtime.nn.Linear} is the only place that
 * knows tensor parallelism, {@link jdiff.runtime.nn.Attention} the only one that knows sequence parallelism,
 * {@link jdiff.runtime.nn.Stack} the only one that brings values to another device; models are written as for one device.
 *
 * <p>Legend: <i>B</i> batch, <i>S</i> tokens, <i>H</i> heads of this rank, <i>D</i> head dimension, <i>C</i> channels; in
 * convolutions <i>T</i> frames, <i>H</i> and <i>W</i> height and width, with channels last. A new layer is one class here; a new
 * parallel attention implements {@code Attention}.
 */
@NullMarked
package jdiff.runtime.nn;

import org.jspecify.annotations.NullMarked;
