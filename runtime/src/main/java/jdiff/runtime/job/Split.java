package jdiff.runtime.job;

import java.io.IOException;

/** How the prompts of a job are shared among its ranks. */
public enum Split {
    /** Whoever is free takes the next one. */
    DYNAMIC {
        @Override
        Share of(SharedStore store, int rank, int worldSize, long numPrompts) {
            return () -> {
                long position = store.add("job/next", 1) - 1;
                return position < numPrompts ? position : -1;
            };
        }
    },
    /** Contiguous blocks, the first ones longer by one where the division leaves a rest. */
    STATIC {
        @Override
        Share of(SharedStore store, int rank, int worldSize, long numPrompts) {
            long quotient = numPrompts / worldSize;
            long rest = numPrompts % worldSize;
            long end = quotient * (rank + 1) + Math.min(rank + 1, rest);
            return new Share() {
                private long position = quotient * rank + Math.min(rank, rest);

                @Override
                public long next() {
                    return position < end ? position++ : -1;
                }
            };
        }
    };

    /** The prompts of one rank: positions among the usable ones, rising. Every position goes to exactly one rank. */
    interface Share {
        /** The next position, or -1 if there is none left for this rank. */
        long next() throws IOException;
    }

    abstract Share of(SharedStore store, int rank, int worldSize, long numPrompts);
}
