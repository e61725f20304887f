package jdiff.runtime.distributed;

import org.jspecify.annotations.Nullable;

/**
 * Degrees of parallelism, outermost first: {@code dp} replicas share the prompts; inside one, {@code cfg} guidance branches,
 * {@code ring} and {@code ulysses} parts of the sequence, {@code tp} parts of the weights. Their product is the number of ranks.
 */
public record ParallelDims(int dp, int cfg, int ring, int ulysses, int tp) {
    /** One rank that does everything. */
    public static final ParallelDims ONE = new ParallelDims(1, 1, 1, 1, 1);

    /**
     * @throws IllegalArgumentException if a degree is below 1, or cfg above 2
     */
    public ParallelDims {
        atLeastOne("dp", dp);
        atLeastOne("cfg", cfg);
        if (cfg > 2) {
            throw new IllegalArgumentException("cfg-degree must be 1 or 2, got " + cfg);
        }
        atLeastOne("ring", ring);
        atLeastOne("ulysses", ulysses);
        atLeastOne("tp", tp);
    }

    /**
     * A degree as a user writes it.
     *
     * @param axis {@code dp}, {@code cfg}, {@code ring}, {@code ulysses} or {@code tp}
     * @throws IllegalArgumentException if it is no integer of at least 1
     */
    public static int parseDegree(String axis, String text) {
        int degree;
        try {
            degree = Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(notAnInteger(axis, text), e);
        }
        if (degree < 1) {
            throw new IllegalArgumentException(notAnInteger(axis, text));
        }
        return degree;
    }

    /**
     * The degrees of a job of {@code worldSize} ranks.
     *
     * @param dp null: what the other axes leave
     * @throws IllegalArgumentException if the degrees and the number of ranks do not fit; names the closest legal sets
     */
    public static ParallelDims of(int worldSize, @Nullable Integer dp, int cfg, int ring, int ulysses, int tp) {
        if (dp != null) {
            return new ParallelDims(dp, cfg, ring, ulysses, tp).check(worldSize);
        }
        ParallelDims replica = new ParallelDims(1, cfg, ring, ulysses, tp);
        long product = replica.product();
        if (worldSize % product != 0) {
            throw new IllegalArgumentException(
                    "cfg " + cfg + " x ring " + ring + " x ulysses " + ulysses + " x tp " + tp
                            + " = " + product + " does not divide world size " + worldSize + "; closest legal: "
                            + LegalDims.closest(worldSize, replica, false));
        }
        return new ParallelDims((int) (worldSize / product), cfg, ring, ulysses, tp);
    }

    /**
     * These degrees, if their product is {@code worldSize}.
     *
     * @throws IllegalArgumentException if it is not; names the closest legal sets
     */
    public ParallelDims check(int worldSize) {
        if (product() != worldSize) {
            throw new IllegalArgumentException("world size " + worldSize + " does not match " + this + " = " + product()
                    + "; closest legal: " + LegalDims.closest(worldSize, this, true));
        }
        return this;
    }

    /** Number of ranks. */
    public long product() {
        return (long) dp * cfg * ring * ulysses * tp;
    }

    /** Ranks that work on one prompt together. */
    public int replicaSize() {
        return cfg * ring * ulysses * tp;
    }

    /** Parts of the sequence. */
    public int cp() {
        return ring * ulysses;
    }

    @Override
    public String toString() {
        return "dp " + dp + " x cfg " + cfg + " x ring " + ring + " x ulysses " + ulysses + " x tp " + tp;
    }

    private static void atLeastOne(String axis, int degree) {
        if (degree < 1) {
            throw new IllegalArgumentException(notAnInteger(axis, Integer.toString(degree)));
        }
    }

    private static String notAnInteger(String axis, String found) {
        return axis + "-degree must be an integer of at least 1, got " + found;
    }
}
