package jdiff.cli.inspect;

import java.util.List;
import java.util.stream.Stream;
import jdiff.runtime.distributed.ParallelDims;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The ranks of a job that does not run. */
final class GridOptions {
    /** More ranks than any model is run on; each gets a line. */
    private static final int MAX_RANKS = 4096;

    /** Each tensor-parallel rank is a plan of its own; no model has more heads. */
    private static final int MAX_TP = 256;

    @Option(
            names = "--tp-degree",
            paramLabel = "N",
            description = "Ranks that share each layer's weights (default: 1).")
    @Nullable String tp;

    @Option(
            names = "--ulysses-degree",
            paramLabel = "N",
            description = "Parts of the sequence, exchanged for heads (default: 1).")
    @Nullable String ulysses;

    @Option(
            names = "--ring-degree",
            paramLabel = "N",
            description = "Parts of the sequence, passed around (default: 1).")
    @Nullable String ring;

    @Option(
            names = "--cfg-degree",
            paramLabel = "N",
            description = "Guidance branches on ranks of their own, 1 or 2 (default: 1).")
    @Nullable String cfg;

    @Option(names = "--dp-degree", paramLabel = "N", description = "Replicas of the model (default: 1).")
    @Nullable String dp;

    @Option(
            names = "--shard-modulation",
            description =
                    "Share modulation layers between tensor-parallel ranks too, which each has whole otherwise: of Qwen-Image's blocks"
                            + " a rank of two keeps 50 %% instead of 67 %%, and exchanges some more at each step.")
    boolean shardModulation;

    /** Whether the user asked for a grid. */
    boolean given() {
        return Stream.of(tp, ulysses, ring, cfg, dp).anyMatch(degree -> degree != null);
    }

    /**
     * The degrees.
     *
     * @throws IllegalArgumentException if one is bad, or the grid is too large to be shown
     */
    ParallelDims dims() {
        ParallelDims dims = new ParallelDims(
                degree("dp", dp),
                degree("cfg", cfg),
                degree("ring", ring),
                degree("ulysses", ulysses),
                degree("tp", tp));
        // In floating point, where nothing overflows.
        double ranks = 1;
        for (int degree : List.of(dims.dp(), dims.cfg(), dims.ring(), dims.ulysses(), dims.tp())) {
            ranks *= degree;
        }
        if (ranks > MAX_RANKS || dims.tp() > MAX_TP) {
            throw new IllegalArgumentException("the grid " + dims + " is too large: wanted at most " + MAX_RANKS
                    + " ranks, and tp at most " + MAX_TP);
        }
        return dims;
    }

    private static int degree(String axis, @Nullable String text) {
        return text == null ? 1 : ParallelDims.parseDegree(axis, text);
    }
}
