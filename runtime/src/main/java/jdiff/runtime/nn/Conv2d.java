package jdiff.runtime.nn;

import java.util.function.UnaryOperator;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Functional;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.weights.Weights;
import org.jspecify.annotations.Nullable;

/**
 * Convolution of every frame with one square kernel; [B, T, H, W, in] → [B, T, H', W', out]. Channels come last in memory, the
 * order in which oneDNN and cuDNN are fastest and a norm over channels reads consecutive values.
 */
public final class Conv2d {
    private final Tensor weight;
    private final Tensor bias;
    private final int stride;
    private final int padding;

    private Conv2d(Tensor weight, Tensor bias, int stride, int padding) {
        this.weight = weight;
        this.bias = bias;
        this.stride = stride;
        this.padding = padding;
    }

    /**
     * A convolution with the parameters {@code weight} and {@code bias}.
     *
     * @param kernel side of the kernel
     * @param stride step in both directions
     * @param padding zeros on all sides
     */
    public static Conv2d of(Weights w, long in, long out, int kernel, int stride, int padding) {
        Tensor packed = Scope.tidy(() -> w.get("weight", out, in, kernel, kernel)
                .permute(0, 2, 3, 1)
                .contiguous()
                .permute(0, 3, 1, 2));
        return new Conv2d(packed, w.get("bias", out), stride, padding);
    }

    /** A 1 × 1 × 1 convolution of a video model: one matrix for the channels of every pixel. */
    public static Conv2d pointwise(Weights w, long in, long out) {
        Tensor weight = Scope.tidy(() -> w.get("weight", out, in, 1, 1, 1).view(out, in, 1, 1));
        return new Conv2d(weight, w.get("bias", out), 1, 0);
    }

    /** Of the weight, which x must have too. */
    public DType dtype() {
        return weight.dtype();
    }

    public Tensor forward(Tensor x) {
        return convolve(x, weight, bias, stride, padding);
    }

    /** weight [out, in, k, k] with channels last in memory; bias [out] or none. */
    static Tensor convolve(Tensor x, Tensor weight, @Nullable Tensor bias, int stride, int padding) {
        return Scope.tidy(() -> {
            if (weight.size(-1) == 1 && stride == 1) {
                return Functional.linear(x, weight.view(weight.size(0), weight.size(1)), bias);
            }
            return perFrame(x, frames -> Functional.conv2d(frames, weight, bias, stride, padding));
        });
    }

    /** Applies an operation on pictures [N, C, H, W] to every frame of x [B, T, H, W, C]; N = B·T. */
    public static Tensor perFrame(Tensor x, UnaryOperator<Tensor> operation) {
        Tensor flat = x.reshape(x.size(0) * x.size(1), x.size(2), x.size(3), x.size(4));
        Tensor y = operation
                .apply(flat.permute(0, 3, 1, 2))
                .permute(0, 2, 3, 1)
                .contiguous(); // it is already, unless a size of 1 hid the order from libtorch
        return y.view(x.size(0), x.size(1), y.size(1), y.size(2), y.size(3));
    }
}
