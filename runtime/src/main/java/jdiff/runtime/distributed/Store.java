package jdiff.runtime.distributed;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * The job's key-value store: small facts that ranks tell each other, with an atomic counter and a compare-and-set. Any thread may
 * use it. Failures are {@link DistributedException}s: {@code HANG} for a key that did not come, {@code PEER_LOST} for a store that
 * has gone.
 */
public interface Store extends AutoCloseable {
    void set(String key, byte[] value);

    /** The value, waiting for the key if need be. */
    byte[] get(String key, Duration timeout);

    /** Adds to a counter that starts at 0, and returns the new value. */
    long add(String key, long amount);

    /**
     * Puts {@code desired} in place of {@code expected}; an empty {@code expected} stands for a missing key.
     *
     * @return what the key holds now: {@code desired} if it was replaced; for a missing key and an {@code expected} that is not
     *     empty, {@code expected}, as libtorch does
     */
    byte[] compareSet(String key, byte[] expected, byte[] desired);

    boolean contains(String key);

    /** Removes a key and tells whether it was there. */
    boolean delete(String key);

    @Override
    void close();

    default void set(String key, String value) {
        set(key, value.getBytes(StandardCharsets.UTF_8));
    }

    /** The value as text, waiting for the key if need be. */
    default String getText(String key, Duration timeout) {
        return new String(get(key, timeout), StandardCharsets.UTF_8);
    }

    /** The keys that begin with {@code prefix}, without it; closing the view closes nothing. */
    default Store under(String prefix) {
        return new PrefixedStore(this, prefix);
    }
}
