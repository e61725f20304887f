package jdiff.runtime.pipeline;

import jdiff.runtime.tensor.Tensor;

/** Latents as tokens: each 2 x 2 square of the latent picture becomes one token, channel index {@code (c·2 + dy)·2 + dx}. */
final class PackedLatents {
    private static final int PATCH = 2;

    private PackedLatents() {}

    /** [B, C, h, w] → [B, h/2 · w/2, 4C]. */
    static Tensor pack(Tensor latents) {
        long b = latents.size(0);
        long c = latents.size(1);
        long rows = latents.size(2) / PATCH;
        long columns = latents.size(3) / PATCH;
        return latents.reshape(b, c, rows, PATCH, columns, PATCH)
                .permute(0, 2, 4, 1, 3, 5)
                .reshape(b, rows * columns, c * PATCH * PATCH);
    }

    /** [B, rows · columns, 4C] → [B, C, 2·rows, 2·columns]. */
    static Tensor unpack(Tensor tokens, int rows, int columns) {
        long b = tokens.size(0);
        long c = tokens.size(2) / (PATCH * PATCH);
        return tokens.reshape(b, rows, columns, c, PATCH, PATCH)
                .permute(0, 3, 1, 4, 2, 5)
                .reshape(b, c, (long) rows * PATCH, (long) columns * PATCH);
    }
}
