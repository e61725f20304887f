package jdiff.runtime.job;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The few operations of the ranks' key-value store that a job needs. None of them waits for another rank, so that a rank that
 * died blocks nobody. Safe for use by several threads.
 */
public interface SharedStore {
    /** Adds to the counter {@code key}, which begins at 0; returns its new value. */
    long add(String key, long delta) throws IOException;

    void set(String key, byte[] value) throws IOException;

    /** The value of {@code key}, or null if nobody has set it. */
    byte @Nullable [] find(String key) throws IOException;

    void delete(String key) throws IOException;
}
