package jdiff.runtime.distributed;

import java.util.ArrayList;
import java.util.List;

/** The arithmetic of the grid: {@code rank = (((dp*C + cfg)*R + ring)*U + ulysses)*T + tp}, so tp ranks are neighbours. */
public record RankGrid(ParallelDims dims) {
    /** A rank's place on each axis. */
    public record Coordinates(int dp, int cfg, int ring, int ulysses, int tp) {
        @Override
        public String toString() {
            return "dp " + dp + " cfg " + cfg + " ring " + ring + " ulysses " + ulysses + " tp " + tp;
        }
    }

    public int rank(Coordinates at) {
        return (((at.dp * dims.cfg() + at.cfg) * dims.ring() + at.ring) * dims.ulysses() + at.ulysses) * dims.tp()
                + at.tp;
    }

    public Coordinates coordinates(int rank) {
        if (rank < 0 || rank >= dims.product()) {
            throw new IllegalArgumentException("rank " + rank + " is not in a grid of " + dims);
        }
        int rest = rank;
        int tp = rest % dims.tp();
        rest /= dims.tp();
        int ulysses = rest % dims.ulysses();
        rest /= dims.ulysses();
        int ring = rest % dims.ring();
        rest /= dims.ring();
        return new Coordinates(rest / dims.cfg(), rest % dims.cfg(), ring, ulysses, tp);
    }

    /** The ranks that differ from {@code rank} on this axis only, itself included, in order of their place. */
    public List<Integer> members(int rank, Axis axis) {
        Coordinates me = coordinates(rank);
        List<Integer> ranks = new ArrayList<>();
        for (int other = 0; other < dims.product(); other++) {
            Coordinates at = coordinates(other);
            if ((axis.dp || at.dp == me.dp)
                    && (axis.cfg || at.cfg == me.cfg)
                    && (axis.ring || at.ring == me.ring)
                    && (axis.ulysses || at.ulysses == me.ulysses)
                    && (axis.tp || at.tp == me.tp)) {
                ranks.add(other);
            }
        }
        return ranks;
    }

    /** One line per rank. */
    public String table() {
        StringBuilder text = new StringBuilder("grid ").append(dims);
        for (int rank = 0; rank < dims.product(); rank++) {
            text.append("\n  rank ").append(rank).append(": ").append(coordinates(rank));
        }
        return text.toString();
    }
}
