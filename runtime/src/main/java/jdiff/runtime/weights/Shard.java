package jdiff.runtime.weights;

import java.util.Arrays;

/**
 * Which part of a parameter a rank keeps: of each segment of one dimension its {@code rank}-th of {@code ranks} equal parts, in
 * the order of the segments. A fused q|k|v matrix has three segments, a plain one has one.
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
        long sum = 0;
        for (long segment : segmentsOf(full)) {
            if (segment % ranks != 0) {
                throw new IllegalStateException(name + ": " + ranks + " ranks do not divide the segment of " + segment);
            }
            sum += segment;
        }
        if (sum != full[dim]) {
            throw new IllegalStateException(
                    name + ": segments " + Arrays.toString(segments) + " do not add up to " + full[dim]);
        }
        kept[dim] = full[dim] / ranks;
        return kept;
    }

    long[] segmentsOf(long[] full) {
        return segments.length == 0 ? new long[] {full[dim]} : segments;
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
