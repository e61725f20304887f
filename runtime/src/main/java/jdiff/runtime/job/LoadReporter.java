package jdiff.runtime.job;

import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdiff.runtime.distributed.Store;
import jdiff.runtime.loading.LoadMeter;

/**
 * Adds the bytes that one rank has loaded to the counters of the whole job, four times a second, and tells the listener what
 * they are for all ranks together.
 */
final class LoadReporter implements AutoCloseable {
    private static final String DONE = "job/loaded_bytes";
    private static final String TOTAL = "job/load_bytes";
    private static final long INTERVAL_MILLIS = 250;
    /** A store that does not answer must not hold up a load. */
    private static final long PATIENCE_MILLIS = 2000;

    private final Store store;
    private final LoadMeter meter = new LoadMeter();
    private final JobListener listener;
    private final Thread thread = new Thread(this::run, "load-reporter");
    private final CountDownLatch over = new CountDownLatch(1);
    private long sentDone;
    private long sentTotal;

    LoadReporter(Store store, JobListener listener) {
        this.store = store;
        this.listener = listener;
        thread.setDaemon(true);
        thread.start();
    }

    /** Counts what this rank loads. */
    LoadMeter meter() {
        return meter;
    }

    private void run() {
        try {
            do {
                report();
            } while (!over.await(INTERVAL_MILLIS, TimeUnit.MILLISECONDS));
            report();
        } catch (UncheckedIOException | InterruptedException e) {
            return; // a lost store is met by the rank itself, which says so
        }
    }

    private void report() {
        long total = meter.totalBytes();
        long done = meter.doneBytes();
        store.add(TOTAL, total - sentTotal);
        store.add(DONE, done - sentDone);
        sentTotal = total;
        sentDone = done;
        if (listener != JobListener.NONE) {
            listener.loading(store.add(DONE, 0), store.add(TOTAL, 0));
        }
    }

    /** Reports once more. */
    @Override
    public void close() {
        over.countDown();
        try {
            thread.join(PATIENCE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
