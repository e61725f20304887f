/**
 * The transformer of Qwen-Image: image and text tokens with separate weights that meet in attention (MM-DiT).
 *
 * <p>Legend: <i>B</i> batch, <i>L</i> image tokens, <i>S</i> text tokens, <i>K</i> = heads · head dimension, <i>D</i> head
 * dimension. Names of fields and parameters are those of the published weights. Positions of tokens are
 * {@link jdiff.runtime.model.qwenimage.QwenImagePositions}; another model is another package beside this one, with a config
 * record, its blocks and its net.
 */
@NullMarked
package jdiff.runtime.model.qwenimage;

import org.jspecify.annotations.NullMarked;
