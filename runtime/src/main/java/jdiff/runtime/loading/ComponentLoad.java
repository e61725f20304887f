package jdiff.runtime.loading;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import jdiff.runtime.tensor.Tensor;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** One component of a load: its memory, how far it is, and how fast it went. */
final class ComponentLoad implements AutoCloseable {
    private static final Logger LOG = LogManager.getLogger();
    /** Below this rate a user should know that the disk, not the program, is slow. */
    private static final double SLOW_BYTES_PER_SECOND = 200e6;
    /** Smaller components say nothing of a disk. */
    private static final long TELLING_BYTES = 100_000_000;

    private static final double NANOS = 1e9;

    private final String name;
    private final int readers;
    private final List<Destination> destinations = new ArrayList<>();
    private final CountDownLatch finished = new CountDownLatch(1);
    private final AtomicInteger chunksLeft = new AtomicInteger();
    private final AtomicLong startedAt = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();

    ComponentLoad(String name, int readers) {
        this.name = name;
        this.readers = readers;
    }

    void add(Destination destination) {
        destinations.add(destination);
    }

    void expectOneMore() {
        chunksLeft.incrementAndGet();
    }

    /** A chunk was taken; the first one starts the clock. */
    void started() {
        startedAt.compareAndSet(0, System.nanoTime());
    }

    void done(long chunkBytes) {
        bytes.addAndGet(chunkBytes);
        if (chunksLeft.decrementAndGet() == 0) {
            report();
            finished.countDown();
        }
    }

    /** Lets those who wait go on to the failure. */
    void giveUp() {
        finished.countDown();
    }

    void await() throws InterruptedException {
        if (chunksLeft.get() > 0) {
            finished.await();
        }
    }

    void requireFilled() {
        destinations.forEach(Destination::requireFilled);
    }

    Tensor tensor(int index) {
        return destinations.get(index).tensor();
    }

    void release(int index) {
        destinations.get(index).close();
    }

    private void report() {
        double seconds = Math.max(1, System.nanoTime() - startedAt.get()) / NANOS;
        double rate = bytes.get() / seconds;
        LOG.info(
                "{}: {} in {} s ({} GB/s, {}, {}){}",
                name,
                bytes.get() < 1e9 ? Math.round(bytes.get() / 1e6) + " MB" : decimal(bytes.get() / 1e9) + " GB",
                decimal(seconds),
                decimal(rate / 1e9),
                FileSystem.of(destinations.get(0).transfer().file().path()).type(),
                destinations.stream().anyMatch(Destination::isMapped) ? "mapped" : "up to " + readers + " readers",
                bytes.get() >= TELLING_BYTES && rate < SLOW_BYTES_PER_SECOND ? "; slow or cold storage" : "");
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    @Override
    public void close() {
        destinations.forEach(Destination::close);
    }
}
