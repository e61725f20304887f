package jdiff.runtime.model.autoencoder;

import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Tensor;

/**
 * Pixels to latents and back. Pixels are [B, 3, F, H, W] in [-1, 1], latents [B, z, T, h, w] with H = h · spatialFactor and
 * F = (T - 1) · temporalFactor + 1; a picture is one frame. Both have the dtype of the weights.
 */
public interface Autoencoder {
    /** Latents in the autoencoder's own scale → pixels, clamped to [-1, 1]. */
    Tensor decode(Tensor latents);

    /** Pixels → the mean of the latents' distribution, in the autoencoder's own scale. */
    Tensor encode(Tensor pixels);

    /** The latents of a diffusion model, in the autoencoder's own scale. */
    Tensor denormalize(Tensor latents);

    /** The inverse of {@link #denormalize}. */
    Tensor normalize(Tensor latents);

    /** The dtype that pixels and latents must have. */
    DType dtype();

    /** Pixels per latent in height and in width. */
    int spatialFactor();

    /** Frames per latent frame after the first. */
    int temporalFactor();
}
