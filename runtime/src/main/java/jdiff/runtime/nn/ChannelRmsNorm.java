package jdiff.runtime.nn;

import java.util.Arrays;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Functional;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.weights.Weights;
import org.jspecify.annotations.Nullable;

/**
 * x / max(‖x‖, 1e-12) · sqrt(C) · gamma with the norm over the channels of each pixel; [.., C] → [.., C]. Normalised in float32
 * and rounded to the input's dtype before the products, as in Diffusers' causal video autoencoders.
 */
public final class ChannelRmsNorm {
    private static final double SMALLEST_NORM = 1e-12;

    private final Tensor gamma;
    /** 0-dim float32, so that the product keeps x's dtype; none where gamma contains it. */
    private final @Nullable Tensor root;

    /**
     * A norm with the parameter {@code gamma}.
     *
     * @param spatialDims dimensions of length 1 that gamma has in the file: [C, 1, 1, 1] in blocks, [C, 1, 1] in
     * attention
     */
    public ChannelRmsNorm(Weights w, long channels, int spatialDims) {
        long[] shape = new long[spatialDims + 1];
        Arrays.fill(shape, 1);
        shape[0] = channels;
        double factor = Math.sqrt((double) channels);
        Tensor stored = Scope.tidy(() -> w.get("gamma", shape).view(channels));
        // In float32 both factors are one; else each product is rounded.
        boolean exact = stored.dtype() == DType.F32;
        this.gamma = exact ? stored.mul(factor) : stored;
        this.root = exact ? null : Tensor.scalar(factor, DType.F32);
    }

    public Tensor forward(Tensor x) {
        return Scope.tidy(() -> scaled(x.div(norm(x)).to(x.dtype())));
    }

    /** silu of {@link #forward}. */
    public Tensor forwardSilu(Tensor x) {
        return Functional.silu_(forward(x));
    }

    /** {@link #forwardSilu} that overwrites {@code x}; returns it. */
    public Tensor forwardSilu_(Tensor x) {
        Scope.tidy(() -> {
            Functional.silu_(scaled(x.div_(norm(x))));
        });
        return x;
    }

    private static Tensor norm(Tensor x) {
        return x.norm(-1, DType.F32).clampMin(SMALLEST_NORM);
    }

    /** Overwrites {@code unit}. */
    private Tensor scaled(Tensor unit) {
        return (root == null ? unit : unit.mul_(root)).mul_(gamma);
    }
}
