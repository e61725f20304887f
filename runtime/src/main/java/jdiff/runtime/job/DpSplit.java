package jdiff.runtime.job;

import java.util.Locale;
import java.util.OptionalInt;
import jdiff.runtime.distributed.Split;
import jdiff.runtime.distributed.World;

/** How the prompts of a job are shared among its ranks. */
public enum DpSplit {
    /** Whoever is free takes the next one. */
    DYNAMIC,
    /** Contiguous blocks, the first ones longer by one where the division leaves a rest. */
    STATIC;

    /** Positions of the prompts of one rank, rising. Every position goes to exactly one rank. */
    @FunctionalInterface
    interface Share {
        /** The next position, or nothing if there is none left for this rank. */
        OptionalInt next();
    }

    Share of(World world, int numPrompts) {
        if (this == DYNAMIC) {
            return world.queue("prompts", numPrompts)::next;
        }
        long end = Split.start(numPrompts, world.size(), world.rank() + 1);
        return new Share() {
            private long next = Split.start(numPrompts, world.size(), world.rank());

            @Override
            public OptionalInt next() {
                return next < end ? OptionalInt.of((int) next++) : OptionalInt.empty();
            }
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
