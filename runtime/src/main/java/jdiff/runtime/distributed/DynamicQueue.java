package jdiff.runtime.distributed;

import java.util.OptionalInt;

/**
 * The numbers 0 .. count - 1, each taken once by whichever rank asks next: an atomic counter in the store. Ranks need not agree on
 * anything else, and one that stops does not hold the others back.
 */
public final class DynamicQueue {
    private final Store store;
    private final String key;
    private final int count;

    /**
     * @param name of this queue within the job
     */
    public DynamicQueue(Store store, String name, int count) {
        if (count < 0) {
            throw new IllegalArgumentException("a queue cannot have " + count + " entries");
        }
        this.store = store;
        this.key = "queue/" + name;
        this.count = count;
    }

    /** The next number that nobody has, or nothing when all are taken. */
    public OptionalInt next() {
        long taken = store.add(key, 1);
        return taken <= count ? OptionalInt.of((int) taken - 1) : OptionalInt.empty();
    }
}
