package jdiff.runtime.tensor;

import static jdiff.runtime.tensor.TensorFailure.failure;

import java.util.function.Function;
import java.util.function.Supplier;
import org.bytedeco.pytorch.DoubleOptional;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/** The operations of {@code torch.nn.functional} that models need; parameters are given by the caller. */
public final class Functional {
    private Functional() {}

    /** y = x·Wᵀ + b; x [.., in], weight [out, in], bias [out] or none → [.., out]. */
    public static Tensor linear(Tensor x, Tensor weight, @Nullable Tensor bias) {
        return op(
                "linear", () -> withOptional(bias, b -> torch.linear(x.unwrap(), weight.unwrap(), b)), x, weight, bias);
    }

    /** Rows of {@code weight} [V, C] for ids [..] (int64) → [.., C]. */
    public static Tensor embedding(Tensor weight, Tensor ids) {
        return op("embedding", () -> torch.embedding(weight.unwrap(), ids.unwrap()), weight, ids);
    }

    /** Normalises the last dimension to mean 0 and variance 1; weight and bias [C] or none. */
    public static Tensor layerNorm(Tensor x, @Nullable Tensor weight, @Nullable Tensor bias, double eps) {
        long[] shape = {x.size(-1)};
        return op(
                "layer_norm",
                () -> withOptional(
                        weight, w -> withOptional(bias, b -> torch.layer_norm(x.unwrap(), shape, w, b, eps, false))),
                x,
                weight,
                bias);
    }

    /** x / sqrt(mean(x²) + eps) · weight over the last dimension, in float32, rounded once; weight [C] or none. */
    public static Tensor rmsNorm(Tensor x, @Nullable Tensor weight, double eps) {
        long[] shape = {x.size(-1)};
        return op(
                "rms_norm",
                () -> withOptional(weight, w -> {
                    try (DoubleOptional epsilon = new DoubleOptional(eps)) {
                        return torch.rms_norm(x.unwrap(), shape, w, epsilon);
                    }
                }),
                x,
                weight);
    }

    public static Tensor silu(Tensor x) {
        return op("silu", () -> torch.silu(x.unwrap()), x);
    }

    /** {@link #silu} that overwrites {@code x}; returns it. */
    public static Tensor silu_(Tensor x) {
        return x.inPlace("silu_", () -> torch.silu_(x.unwrap()));
    }

    /** 0.5x(1 + tanh(sqrt(2/pi)(x + 0.044715 x³))). */
    public static Tensor geluTanh(Tensor x) {
        return op("gelu", () -> torch.gelu(x.unwrap(), "tanh"), x);
    }

    /**
     * softmax(q kᵀ·scale + mask) v.
     *
     * @param q [B, H, S, D]
     * @param k [B, H, S', D]; with {@code groupedQuery} H may be a multiple of its heads
     * @param v [B, H, S', D]
     * @param mask added to the scores, or bool (true = visible), broadcastable to [B, H, S, S']; or none
     * @param causal hides later keys; not together with a mask
     * @return [B, H, S, D]
     */
    public static Tensor scaledDotProductAttention(
            Tensor q, Tensor k, Tensor v, @Nullable Tensor mask, boolean causal, double scale, boolean groupedQuery) {
        if (q.dtype().sizeBytes() == 2 && q.device().type() == Device.Type.CPU) {
            // The CPU kernel multiplies 16-bit matrices by BLAS, which is 10 to 25 times slower than in float32.
            return Scope.tidy(() -> attend(wide(q), wide(k), wide(v), wideMask(mask), causal, scale, groupedQuery)
                    .to(q.dtype()));
        }
        return attend(q, k, v, mask, causal, scale, groupedQuery);
    }

    private static Tensor wide(Tensor x) {
        return x.to(DType.F32);
    }

    private static @Nullable Tensor wideMask(@Nullable Tensor mask) {
        return mask == null || mask.dtype() == DType.BOOL ? mask : wide(mask);
    }

    private static Tensor attend(
            Tensor q, Tensor k, Tensor v, @Nullable Tensor mask, boolean causal, double scale, boolean groupedQuery) {
        return op(
                "scaled_dot_product_attention",
                () -> withOptional(mask, m -> {
                    try (DoubleOptional factor = new DoubleOptional(scale)) {
                        return withBlasThreads(
                                q.device(),
                                () -> torch.scaled_dot_product_attention(
                                        q.unwrap(), k.unwrap(), v.unwrap(), m, 0.0, causal, factor, groupedQuery));
                    }
                }),
                q,
                k,
                v,
                mask);
    }

    /**
     * Runs an operation that multiplies matrices inside a loop that libtorch spreads over its threads. OpenBLAS has threads of
     * its own and, called from several at once, warns, waits and may hang; so the loop runs on one thread and each product on
     * OpenBLAS's. Both take about the same time on an idle machine; on a busy one this is many times faster.
     */
    private static org.bytedeco.pytorch.Tensor withBlasThreads(
            Device device, Supplier<org.bytedeco.pytorch.Tensor> operation) {
        int threads = device.equals(Device.CPU) ? torch.get_num_threads() : 1;
        if (threads == 1) {
            return operation.get();
        }
        torch.set_num_threads(1);
        try {
            return operation.get();
        } finally {
            torch.set_num_threads(threads);
        }
    }

    /** x [B, C, H, W], weight [out, C, kH, kW], bias [out] or none; zero padding on all sides. */
    public static Tensor conv2d(Tensor x, Tensor weight, @Nullable Tensor bias, int stride, int padding) {
        long[] strides = {stride, stride};
        long[] paddings = {padding, padding};
        long[] dilations = {1, 1};
        return op(
                "conv2d",
                () -> withOptional(
                        bias, b -> torch.conv2d(x.unwrap(), weight.unwrap(), b, strides, paddings, dilations, 1)),
                x,
                weight,
                bias);
    }

    /** x [B, C, T, H, W], weight [out, C, kT, kH, kW], bias [out] or none; no padding. */
    public static Tensor conv3d(Tensor x, Tensor weight, @Nullable Tensor bias, long[] stride, long[] padding) {
        long[] dilations = {1, 1, 1};
        return op(
                "conv3d",
                () -> withOptional(
                        bias, b -> torch.conv3d(x.unwrap(), weight.unwrap(), b, stride, padding, dilations, 1)),
                x,
                weight,
                bias);
    }

    /** Zeros around the last dimensions: (left, right) of the last one, then of the one before, and so on. */
    public static Tensor zeroPad(Tensor x, long... padding) {
        return op("pad", () -> torch.constant_pad_nd(x.unwrap(), padding), x);
    }

    /** Each pixel of [B, C, H, W] {@code factor} × {@code factor} times. */
    public static Tensor upsampleNearest2d(Tensor x, int factor) {
        long[] size = {x.size(-2) * factor, x.size(-1) * factor};
        return op("upsample_nearest2d", () -> torch.upsample_nearest2d(x.unwrap(), size), x);
    }

    private static org.bytedeco.pytorch.Tensor withOptional(
            @Nullable Tensor tensor, Function<TensorOptional, org.bytedeco.pytorch.Tensor> call) {
        if (tensor == null) {
            return call.apply(NativeOptions.NO_TENSOR);
        }
        try (TensorOptional optional = new TensorOptional(tensor.unwrap())) {
            return call.apply(optional);
        }
    }

    private static Tensor op(String name, Supplier<org.bytedeco.pytorch.Tensor> call, @Nullable Tensor... operands) {
        try {
            return Tensor.wrap(call.get());
        } catch (RuntimeException e) {
            throw failure(name, e, operands);
        }
    }
}
