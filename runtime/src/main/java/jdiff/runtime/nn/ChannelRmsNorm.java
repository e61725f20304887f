package jdiff.runtime.nn;

import java.util.Arrays;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Functional;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.weights.Weights;

/**
 * x / max(‖x‖, 1e-12) · sqrt(C) · gamma with the norm over the channels of each pixel; [.., C] → [.., C]. Normalised in float32
 * and rounded to the input's dtype before the products, as in Diffusers' causal video autoencoders.
 */
public final class ChannelRmsNorm {
    private static final double SMALLEST_NORM = 1e-12;

    private final Tensor gamma;
    private final double scale;

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
        double root = Math.sqrt((double) channels);
        Tensor stored = Scope.tidy(() -> w.get("gamma", shape).view(channels));
        // In float32 both factors are one; else each product is rounded.
        boolean fold = stored.dtype() == DType.F32;
        this.gamma = fold ? stored.mul(root) : stored;
        this.scale = fold ? 1 : root;
    }

    public Tensor forward(Tensor x) {
        return Scope.tidy(() -> {
            Tensor norm = x.norm(-1, DType.F32).clampMin(SMALLEST_NORM);
            Tensor unit = x.div(norm).to(x.dtype());
            return (scale == 1 ? unit : unit.mul(scale)).mul_(gamma);
        });
    }

    /** silu of {@link #forward}. */
    public Tensor forwardSilu(Tensor x) {
        return Functional.silu_(forward(x));
    }
}
