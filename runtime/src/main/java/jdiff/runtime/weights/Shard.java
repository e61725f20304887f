package jdiff.runtime.weights;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import jdiff.runtime.distributed.Split;
import jdiff.runtime.loading.Slice;
import jdiff.runtime.safetensors.TensorEntry;

/**
 * Which part of a parameter a rank keeps: of each segment of one dimension its {@code rank}-th of {@code ranks} parts, in the
 * order of the segments. A fused q|k|v matrix has three segments, a plain one has one. Parts differ by at most one element, as
 * {@link Split} says; whoever needs equal ones checks that before.
 *
 * @param dim the dimension that is cut: 0 for rows (outputs), 1 for columns (inputs)
 * @param segments lengths that add up to the dimension; empty for one segment of any length
 */
public record Shard(int dim, int rank, int ranks, long... segments) {
    /** Everything: what a single rank keeps. */
    public static final Shard ALL = new Shard(0, 0, 1);

    public Shard {
        if (dim < 0 || ranks < 1 || rank < 0 || rank >= ranks) {
            throw new IllegalArgumentException("rank " + rank + " of " + ranks + " in dimension " + dim);
        }
        segments = segments.clone();
    }

    /** Cuts outputs: the weight of a column-parallel layer, and its bias. */
    public static Shard rows(int rank, int ranks, long... segments) {
        return new Shard(0, rank, ranks, segments);
    }

    /** Cuts inputs: the weight of a row-parallel layer. */
    public static Shard columns(int rank, int ranks, long... segments) {
        return new Shard(1, rank, ranks, segments);
    }

    @Override
    public long[] segments() {
        return segments.clone();
    }

    /** Whether nothing is cut away. */
    public boolean isAll() {
        return ranks == 1;
    }

    /** The shape that this rank keeps of {@code full}. */
    long[] of(String name, long[] full) {
        long[] kept = full.clone();
        if (isAll()) {
            return kept;
        }
        if (dim >= full.length) {
            throw new IllegalStateException(name + ": cannot cut dimension " + dim + " of " + Arrays.toString(full));
        }
        long sum = Arrays.stream(segmentsOf(full)).sum();
        if (sum != full[dim]) {
            throw new IllegalStateException(
                    name + ": segments " + Arrays.toString(segments) + " do not add up to " + full[dim]);
        }
        kept[dim] = parts(full).stream().mapToLong(Part::length).sum();
        return kept;
    }

    /**
     * A run of indices of the cut dimension that this rank keeps.
     *
     * @param from first index in the whole
     * @param to first index in what is kept
     */
    record Part(long from, long to, long length) {}

    /** What is kept of the cut dimension of a parameter of shape {@code full}; nothing of a segment is left out of the list. */
    List<Part> parts(long[] full) {
        List<Part> parts = new ArrayList<>();
        long from = 0;
        long to = 0;
        for (long segment : segmentsOf(full)) {
            long length = Split.length(segment, ranks, rank);
            if (length > 0) {
                parts.add(new Part(from + Split.start(segment, ranks, rank), to, length));
            }
            from += segment;
            to += length;
        }
        return parts;
    }

    /** Where the kept elements of a stored tensor lie, and where they go. */
    List<Slice> slices(TensorEntry entry) {
        if (isAll()) {
            return List.of(Slice.of(entry.begin(), 0, entry.numel()));
        }
        long[] full = entry.shape();
        int elementBytes = entry.type().bits() / 8;
        long outer = product(full, 0, dim);
        long inner = product(full, dim + 1, full.length);
        long row = full[dim] * inner;
        List<Part> parts = parts(full);
        long keptRow = parts.stream().mapToLong(Part::length).sum() * inner;
        List<Slice> slices = new ArrayList<>();
        for (Part part : parts) {
            slices.add(new Slice(
                    entry.begin() + part.from() * inner * elementBytes,
                    row * elementBytes,
                    part.to() * inner,
                    keptRow,
                    part.length() * inner,
                    outer));
        }
        return slices;
    }

    private long[] segmentsOf(long[] full) {
        return segments.length == 0 ? new long[] {full[dim]} : segments;
    }

    private static long product(long[] sizes, int from, int to) {
        return Arrays.stream(sizes, from, to).reduce(1, (a, b) -> a * b);
    }

    /** Equal shards of one parameter share a tensor. */
    String key() {
        return isAll() ? "" : dim + ":" + rank + "/" + ranks + Arrays.toString(segments);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Shard s && key().equals(s.key());
    }

    @Override
    public int hashCode() {
        return key().hashCode();
    }

    @Override
    public String toString() {
        return isAll() ? "all" : "part " + rank + " of " + ranks + " of dimension " + dim;
    }
}
