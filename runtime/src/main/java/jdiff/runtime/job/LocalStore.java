package jdiff.runtime.job;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A store within one process: for a single rank, or for threads as ranks. */
public final class LocalStore implements SharedStore {
    private final Map<String, Long> counters = new ConcurrentHashMap<>();
    private final Map<String, byte[]> values = new ConcurrentHashMap<>();

    @Override
    public long add(String key, long delta) {
        Long value = counters.merge(key, delta, Long::sum);
        return value == null ? 0 : value;
    }

    @Override
    public void set(String key, byte[] value) {
        values.put(key, value.clone());
    }

    @Override
    public byte @Nullable [] find(String key) {
        byte[] value = values.get(key);
        return value == null ? null : value.clone();
    }

    @Override
    public void delete(String key) {
        values.remove(key);
    }
}
