package jdiff.runtime.distributed;

import java.time.Duration;

/** A part of another store. */
record PrefixedStore(Store store, String prefix) implements Store {
    @Override
    public void set(String key, byte[] value) {
        store.set(prefix + key, value);
    }

    @Override
    public byte[] get(String key, Duration timeout) {
        return store.get(prefix + key, timeout);
    }

    @Override
    public long add(String key, long amount) {
        return store.add(prefix + key, amount);
    }

    @Override
    public byte[] compareSet(String key, byte[] expected, byte[] desired) {
        return store.compareSet(prefix + key, expected, desired);
    }

    @Override
    public boolean contains(String key) {
        return store.contains(prefix + key);
    }

    @Override
    public boolean delete(String key) {
        return store.delete(prefix + key);
    }

    @Override
    public void close() {}
}
