package jdiff.runtime.nn;

import jdiff.runtime.tensor.Functional;
import jdiff.runtime.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Attention where this rank has the whole sequence: libtorch's fused kernel. */
public final class Sdpa implements Attention {
    @Override
    public Tensor forward(Qkv qkv, @Nullable Tensor keyMask) {
        double scale = 1 / Math.sqrt((double) qkv.q().size(-1));
        Tensor mask = keyMask == null ? null : keyMask.unsqueeze(1).unsqueeze(1); // [B, 1, 1, S]
        return Functional.scaledDotProductAttention(
                        heads(qkv.q()), heads(qkv.k()), heads(qkv.v()), mask, false, scale, false)
                .transpose(1, 2);
    }

    private static Tensor heads(Tensor x) {
        return x.transpose(1, 2); // [B, H, S, D]
    }
}
