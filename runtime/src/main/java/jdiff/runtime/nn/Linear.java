package jdiff.runtime.nn;

import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import jdiff.runtime.distributed.ProcessGroup;
import jdiff.runtime.distributed.Split;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Functional;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.weights.Shard;
import jdiff.runtime.weights.Weights;
import org.jspecify.annotations.Nullable;

/**
 * y = x·Wᵀ + b over the last dimension; x [.., in] → [.., out]. The factory decides how it is shared between tensor-parallel
 * ranks: {@link #of} not at all, {@link #column} by outputs, {@link #row} by inputs, {@link #modulation} as the load wants it.
 */
public final class Linear {
    /** Whether the layer has a bias. */
    public enum Bias {
        YES,
        NO
    }

    private final Tensor weight;
    private final @Nullable Tensor bias;
    private final UnaryOperator<Tensor> join;
    private final @Nullable Tensor biasOfAll;

    /**
     * @param bias of this rank's outputs
     * @param join makes the outputs of all ranks one result
     * @param biasOfAll of that result
     */
    private Linear(Tensor weight, @Nullable Tensor bias, UnaryOperator<Tensor> join, @Nullable Tensor biasOfAll) {
        this.weight = weight;
        this.bias = bias;
        this.join = join;
        this.biasOfAll = biasOfAll;
    }

    /** Nothing to join: each rank has what it needs. */
    private Linear(Tensor weight, @Nullable Tensor bias) {
        this(weight, bias, UnaryOperator.identity(), null);
    }

    /** The whole matrix on every rank. */
    public static Linear of(Weights w, long in, long out) {
        return new Linear(w.get("weight", out, in), w.get("bias", out));
    }

    /** Each rank computes its part of every segment of the outputs; x is the same on all ranks. */
    public static Linear column(Weights w, Bias bias, long in, long... outs) {
        long out = sum(outs);
        ProcessGroup ranks = w.tensorParallel();
        Shard rows = Shard.rows(ranks.rank(), ranks.size(), outs);
        return new Linear(w.get("weight", rows, out, in), bias == Bias.YES ? w.get("bias", rows, out) : null);
    }

    /**
     * Makes shift, scale and gate from the timestep: a large matrix for one token. y is whole on every rank; the matrix too, unless
     * the load shares it, when each rank computes its part of the outputs and gets those of the others.
     */
    public static Linear modulation(Weights w, long in, long out) {
        ProcessGroup ranks = w.modulationParallel();
        Shard rows = Shard.rows(ranks.rank(), ranks.size(), out);
        Tensor weight = w.get("weight", rows, out, in);
        Tensor bias = w.get("bias", rows, out);
        if (ranks.size() == 1) {
            return new Linear(weight, bias);
        }
        long[] widths = IntStream.range(0, ranks.size())
                .mapToLong(rank -> Split.length(out, ranks.size(), rank))
                .toArray();
        return new Linear(weight, bias, part -> ranks.allGather(part, part.dim() - 1, widths), null);
    }

    /**
     * Each rank holds its part of every segment of the inputs and of x; the partial results are summed, then the bias is added
     * once.
     */
    public static Linear row(Weights w, Bias bias, long out, long... ins) {
        ProcessGroup ranks = w.tensorParallel();
        Shard columns = Shard.columns(ranks.rank(), ranks.size(), ins);
        Tensor weight = w.get("weight", columns, out, sum(ins));
        Tensor whole = bias == Bias.YES ? w.get("bias", out) : null;
        return ranks.size() == 1 ? new Linear(weight, whole) : new Linear(weight, null, ranks::allReduce_, whole);
    }

    /** Of the weight, which x must have too. */
    public DType dtype() {
        return weight.dtype();
    }

    public Tensor forward(Tensor x) {
        Tensor joined = join.apply(Functional.linear(x, weight, bias));
        return biasOfAll == null ? joined : joined.add(biasOfAll);
    }

    private static long sum(long[] segments) {
        long total = 0;
        for (long segment : segments) {
            total = Math.addExact(total, segment);
        }
        return total;
    }
}
