package jdiff.runtime.nn;

import java.util.List;
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
    private final @Nullable ProcessGroup summed;
    private final @Nullable Gather gather;

    /** Outputs of all ranks side by side; {@code widths} of each. */
    private record Gather(ProcessGroup ranks, List<Long> widths) {
        static @Nullable Gather of(ProcessGroup ranks, long out) {
            return ranks.size() == 1
                    ? null
                    : new Gather(
                            ranks,
                            IntStream.range(0, ranks.size())
                                    .mapToObj(rank -> Split.length(out, ranks.size(), rank))
                                    .toList());
        }

        Tensor join(Tensor part) {
            long[] lengths = widths.stream().mapToLong(Long::longValue).toArray();
            return ranks.allGather(part, part.dim() - 1, lengths);
        }
    }

    private Linear(Tensor weight, @Nullable Tensor bias, @Nullable ProcessGroup summed, @Nullable Gather gather) {
        this.weight = weight;
        this.bias = bias;
        this.summed = summed;
        this.gather = gather;
    }

    /** The whole matrix on every rank. */
    public static Linear of(Weights w, long in, long out) {
        return new Linear(w.get("weight", out, in), w.get("bias", out), null, null);
    }

    /** Each rank computes its part of every segment of the outputs; x is the same on all ranks. */
    public static Linear column(Weights w, Bias bias, long in, long... outs) {
        long out = sum(outs);
        ProcessGroup ranks = w.tensorParallel();
        Shard rows = Shard.rows(ranks.rank(), ranks.size(), outs);
        return new Linear(
                w.get("weight", rows, out, in), bias == Bias.YES ? w.get("bias", rows, out) : null, null, null);
    }

    /**
     * Makes shift, scale and gate from the timestep: a large matrix for one token. y is whole on every rank; the matrix too, unless
     * the load shares it, when each rank computes its part of the outputs and gets those of the others.
     */
    public static Linear modulation(Weights w, long in, long out) {
        ProcessGroup ranks = w.modulationParallel();
        Shard rows = Shard.rows(ranks.rank(), ranks.size(), out);
        return new Linear(w.get("weight", rows, out, in), w.get("bias", rows, out), null, Gather.of(ranks, out));
    }

    /**
     * Each rank holds its part of every segment of the inputs and of x; the partial results are summed, then the bias is added
     * once.
     */
    public static Linear row(Weights w, Bias bias, long out, long... ins) {
        ProcessGroup ranks = w.tensorParallel();
        Shard columns = Shard.columns(ranks.rank(), ranks.size(), ins);
        return new Linear(
                w.get("weight", columns, out, sum(ins)),
                bias == Bias.YES ? w.get("bias", out) : null,
                ranks.size() > 1 ? ranks : null,
                null);
    }

    /** Of the weight, which x must have too. */
    public DType dtype() {
        return weight.dtype();
    }

    public Tensor forward(Tensor x) {
        if (summed == null) {
            Tensor part = Functional.linear(x, weight, bias);
            return gather == null ? part : gather.join(part);
        }
        Tensor sum = summed.allReduce_(Functional.linear(x, weight, null));
        return bias == null ? sum : sum.add(bias); // after the sum, so that it is added once
    }

    private static long sum(long[] segments) {
        long total = 0;
        for (long segment : segments) {
            total = Math.addExact(total, segment);
        }
        return total;
    }
}
