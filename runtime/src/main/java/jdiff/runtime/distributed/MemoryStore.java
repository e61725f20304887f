package jdiff.runtime.distributed;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import jdiff.runtime.fault.Fault;

/** A store inside one JVM, with the rules of the one over TCP: for a single process and for ranks that are threads. */
final class MemoryStore implements Store {
    private final Map<String, byte[]> values = new HashMap<>();

    @Override
    public synchronized void set(String key, byte[] value) {
        values.put(key, value.clone());
        notifyAll();
    }

    @Override
    public synchronized byte[] get(String key, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        byte[] value = values.get(key);
        while (value == null) {
            long millis = (deadline - System.nanoTime()) / 1_000_000;
            if (millis <= 0) {
                throw new DistributedException(
                        Fault.HANG, "store key " + key + " did not appear within " + timeout.toMillis() + " ms");
            }
            try {
                wait(millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new DistributedException(Fault.ERROR, "interrupted while waiting for store key " + key, e);
            }
            value = values.get(key);
        }
        return value.clone();
    }

    @Override
    public synchronized long add(String key, long amount) {
        byte[] old = values.get(key);
        long sum = amount + (old == null ? 0 : Long.parseLong(new String(old, StandardCharsets.US_ASCII)));
        set(key, Long.toString(sum).getBytes(StandardCharsets.US_ASCII));
        return sum;
    }

    @Override
    public synchronized byte[] compareSet(String key, byte[] expected, byte[] desired) {
        byte[] old = values.get(key);
        if (old == null && expected.length > 0) {
            return expected.clone();
        }
        if (old == null || Arrays.equals(old, expected)) {
            set(key, desired);
            return desired.clone();
        }
        return old.clone();
    }

    @Override
    public synchronized boolean contains(String key) {
        return values.containsKey(key);
    }

    @Override
    public synchronized boolean delete(String key) {
        return values.remove(key) != null;
    }

    @Override
    public void close() {}
}
