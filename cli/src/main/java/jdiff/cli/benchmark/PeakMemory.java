package jdiff.cli.benchmark;

/** The most anonymous memory that this process had while something ran, above the level before; a load only adds to it. */
final class PeakMemory implements AutoCloseable {
    private static final long EVERY_MILLIS = 50;

    private final long before = ProcessCounters.anonymousBytes();
    private final Thread watcher = new Thread(this::watch, "peak-memory");
    private volatile boolean stop;
    private volatile long most = before;

    PeakMemory() {
        watcher.setDaemon(true);
        watcher.start();
    }

    /** Bytes; after {@link #close} the final value. */
    long bytes() {
        return most - before;
    }

    private void watch() {
        while (!stop) {
            look();
            try {
                Thread.sleep(EVERY_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private synchronized void look() {
        most = Math.max(most, ProcessCounters.anonymousBytes());
    }

    @Override
    public void close() {
        stop = true;
        look();
        watcher.interrupt();
    }
}
