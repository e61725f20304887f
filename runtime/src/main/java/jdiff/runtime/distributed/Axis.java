package jdiff.runtime.distributed;

import java.util.Locale;

/** A direction of the rank grid, or several of them together. */
public enum Axis {
    /** Replicas: never a group, they share work through the store only. */
    DP(true, false, false, false, false),
    CFG(false, true, false, false, false),
    RING(false, false, true, false, false),
    ULYSSES(false, false, false, true, false),
    TP(false, false, false, false, true),
    /** Parts of one sequence: ring and ulysses. */
    CP(false, false, true, true, false),
    /** One guidance branch of one replica: ring, ulysses and tp. */
    BRANCH(false, false, true, true, true),
    /** All ranks that work on one prompt. */
    REPLICA(false, true, true, true, true);

    final boolean dp;
    final boolean cfg;
    final boolean ring;
    final boolean ulysses;
    final boolean tp;

    Axis(boolean dp, boolean cfg, boolean ring, boolean ulysses, boolean tp) {
        this.dp = dp;
        this.cfg = cfg;
        this.ring = ring;
        this.ulysses = ulysses;
        this.tp = tp;
    }

    /** The name in messages and reports, for instance {@code ulysses}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
