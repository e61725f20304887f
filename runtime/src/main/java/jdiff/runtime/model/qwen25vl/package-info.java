/**
 * The language part of Qwen2.5-VL as a text encoder: states of a causal transformer with grouped key-value heads.
 *
 * <p>Legend: <i>B</i> batch, <i>S</i> tokens, <i>H</i> heads, <i>D</i> head dimension, <i>C</i> channels. The vision tower would
 * be further classes here; {@link jdiff.runtime.model.qwen25vl.Qwen25VlTextEncoder#UNREAD} lists the names that wait for it.
 */
@NullMarked
package jdiff.runtime.model.qwen25vl;

import org.jspecify.annotations.NullMarked;
