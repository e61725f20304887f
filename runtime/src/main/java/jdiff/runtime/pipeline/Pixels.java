package jdiff.runtime.pipeline;

import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;

/** From the decoder's values to 8-bit colours. */
final class Pixels {
    private Pixels() {}

    /**
     * [3, H, W] in [-1, 1] → H · W · 3 bytes. Shifted and clamped in the decoder's dtype, scaled in float32 and rounded half to
     * even, which is what Diffusers' pictures are made of.
     */
    static byte[] toRgb(Tensor decoded) {
        return Scope.tidy(() -> decoded.mul(0.5)
                .add(0.5)
                .clamp(0, 1)
                .permute(1, 2, 0)
                .to(DType.F32)
                .mul(255)
                .round()
                .to(DType.U8)
                .toBytes());
    }
}
