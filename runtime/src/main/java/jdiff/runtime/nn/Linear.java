package jdiff.runtime.nn;

import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Functional;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.weights.Shard;
import jdiff.runtime.weights.Weights;
import org.jspecify.annotations.Nullable;

/**
 * y = x·Wᵀ + b over the last dimension; x [.., in] → [.., out]. The factory decides how it is shared between tensor-parallel
 * ranks: {@link #of} not at all, {@link #column} by outputs, {@link #row} by inputs.
 */
public final class Linear {
    /** Whether the layer has a bias. */
    public enum Bias {
        YES,
        NO
    }

    private final Tensor weight;
    private final @Nullable Tensor bias;

    private Linear(Tensor weight, @Nullable Tensor bias) {
        this.weight = weight;
        this.bias = bias;
    }

    /** The whole matrix on every rank. */
    public static Linear of(Weights w, long in, long out) {
        return new Linear(w.get("weight", out, in), w.get("bias", out));
    }

    /** Each rank computes its part of every segment of the outputs; x is the same on all ranks. */
    public static Linear column(Weights w, Bias bias, long in, long... outs) {
        long out = sum(outs);
        Shard rows = Shard.rows(0, 1, outs);
        return new Linear(w.get("weight", rows, out, in), bias == Bias.YES ? w.get("bias", rows, out) : null);
    }

    /**
     * Each rank holds its part of every segment of the inputs and of x; the partial results are summed, then the bias is added
     * once.
     */
    public static Linear row(Weights w, Bias bias, long out, long... ins) {
        Shard columns = Shard.columns(0, 1, ins);
        return new Linear(w.get("weight", columns, out, sum(ins)), bias == Bias.YES ? w.get("bias", out) : null);
    }

    /** Of the weight, which x must have too. */
    public DType dtype() {
        return weight.dtype();
    }

    public Tensor forward(Tensor x) {
        return Functional.linear(x, weight, bias);
    }

    private static long sum(long[] segments) {
        long total = 0;
        for (long segment : segments) {
            total = Math.addExact(total, segment);
        }
        return total;
    }
}
