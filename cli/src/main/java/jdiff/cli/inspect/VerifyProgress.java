package jdiff.cli.inspect;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import jdiff.runtime.loading.LoadMeter;

/** A line every few seconds on how far reading is; short work stays quiet. */
final class VerifyProgress implements AutoCloseable {
    private static final int SECONDS = 5;

    private final LoadMeter meter;
    private final PrintWriter err;
    private final long start = System.nanoTime();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        var thread = new Thread(task, "progress");
        thread.setDaemon(true);
        return thread;
    });

    VerifyProgress(LoadMeter meter, PrintWriter err) {
        this.meter = meter;
        this.err = err;
    }

    void start() {
        var unused = timer.scheduleAtFixedRate(this::print, SECONDS, SECONDS, TimeUnit.SECONDS);
    }

    private void print() {
        long done = meter.doneBytes();
        double seconds = (System.nanoTime() - start) / 1e9;
        err.printf(
                Locale.ROOT,
                "verified %s of %s, %s/s%n",
                Amounts.bytes(done),
                Amounts.bytes(meter.totalBytes()),
                Amounts.bytes((long) (done / seconds)));
        err.flush();
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
