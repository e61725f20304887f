/**
 * Autoencoders between pixels and latents. {@link jdiff.runtime.model.autoencoder.Autoencoder} is what pipelines see; tiling
 * decorates it. {@link jdiff.runtime.model.autoencoder.CausalAutoencoder} is the one of Qwen-Image and Wan with 16 channels.
 *
 * <p>Legend: <i>B</i> batch, <i>F</i> frames of pixels, <i>T</i> frames at the level in question, <i>H</i>, <i>W</i> height and
 * width, lower case <i>h</i>, <i>w</i> those of latents, <i>C</i> channels, <i>z</i> latent channels. Outside tensors are
 * [B, C, T, H, W]; between the blocks they are [B, T, H, W, C] and travel in a {@link jdiff.runtime.nn.Clip}. A block is a
 * {@code CausalBlock}; another family of autoencoder is a class beside {@code CausalAutoencoder}.
 */
@NullMarked
package jdiff.runtime.model.autoencoder;

import org.jspecify.annotations.NullMarked;
