package jdiff.runtime.loading;

import java.util.concurrent.atomic.AtomicLong;

/** Counts the bytes of a load, or of another pass over files, while it runs; any thread may look. */
public final class LoadMeter {
    private final AtomicLong total = new AtomicLong();
    private final AtomicLong done = new AtomicLong();

    /** Bytes of the files that are to be read or mapped, of all loads that were started so far. */
    public long totalBytes() {
        return total.get();
    }

    /** Those of them that are in place. */
    public long doneBytes() {
        return done.get();
    }

    /** There is more to do. */
    public void expect(long bytes) {
        total.addAndGet(bytes);
    }

    /** Some of it is done. */
    public void done(long bytes) {
        done.addAndGet(bytes);
    }
}
