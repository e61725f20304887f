package jdiff.launcher.store;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Keys, queues and who waits for them. Used by one thread. */
final class StoreData {
    private final Map<String, byte[]> values = new HashMap<>();
    private final Map<String, Deque<byte[]>> queues = new HashMap<>();
    private final Map<String, Set<Waiter>> waiters = new HashMap<>();
    private final Map<Waiter, Set<String>> awaited = new HashMap<>();
    private final long limit;
    private long bytes;

    StoreData(long limit) {
        this.limit = limit;
    }

    /** Told once, when all keys it waits for are there. */
    interface Waiter {
        void allThere();
    }

    void set(String key, byte[] value) {
        put(key, value);
        wakeAll(key);
    }

    /** The value after the operation; an absent key counts as empty, and answers what was expected of it, as libtorch does. */
    byte[] compareAndSet(String key, byte[] expected, byte[] desired) {
        byte[] current = values.get(key);
        if (current == null) {
            if (expected.length > 0) {
                return expected;
            }
            set(key, desired);
            return desired;
        }
        if (Arrays.equals(current, expected)) {
            set(key, desired);
            return desired;
        }
        return current;
    }

    byte[] get(String key) {
        return values.getOrDefault(key, new byte[0]);
    }

    /** Counters are decimal texts. */
    long add(String key, long delta) {
        byte[] current = values.get(key);
        long sum = delta + (current == null ? 0 : number(key, current));
        set(key, Long.toString(sum).getBytes(StandardCharsets.US_ASCII));
        return sum;
    }

    private static long number(String key, byte[] value) {
        try {
            return Long.parseLong(new String(value, StandardCharsets.ISO_8859_1).strip());
        } catch (NumberFormatException e) {
            throw new ProtocolException("an addition to key " + key + ", which holds no number");
        }
    }

    void append(String key, byte[] more) {
        byte[] current = values.getOrDefault(key, new byte[0]);
        byte[] joined = Arrays.copyOf(current, Math.addExact(current.length, more.length));
        System.arraycopy(more, 0, joined, current.length, more.length);
        set(key, joined);
    }

    boolean delete(String key) {
        byte[] old = values.remove(key);
        bytes -= old == null ? 0 : old.length + key.length();
        return old != null;
    }

    int size() {
        return values.size();
    }

    Collection<String> keys() {
        return values.keySet();
    }

    void push(String queue, byte[] value) {
        reserve(value.length);
        queues.computeIfAbsent(queue, name -> new ArrayDeque<>()).addLast(value);
        Set<Waiter> waiting = waiters.get(queue);
        if (waiting != null) {
            wake(waiting.iterator().next(), queue); // one element, one consumer
        }
    }

    /** Takes out the first element; null if the queue is empty. */
    byte @Nullable [] pop(String queue) {
        Deque<byte[]> all = queues.get(queue);
        if (all == null) {
            return null;
        }
        byte[] first = all.removeFirst(); // an empty queue is never kept
        bytes -= first.length;
        if (all.isEmpty()) {
            queues.remove(queue);
        }
        return first;
    }

    int queueLength(String queue) {
        Deque<byte[]> all = queues.get(queue);
        return all == null ? 0 : all.size();
    }

    boolean hasAll(List<String> keys) {
        return keys.stream().allMatch(this::has);
    }

    private boolean has(String key) {
        return values.containsKey(key) || queues.containsKey(key);
    }

    void await(List<String> keys, Waiter waiter) {
        Set<String> missing = new LinkedHashSet<>(keys);
        missing.removeIf(this::has);
        if (missing.isEmpty()) {
            waiter.allThere();
            return;
        }
        awaited.put(waiter, missing);
        missing.forEach(key ->
                waiters.computeIfAbsent(key, name -> new LinkedHashSet<>()).add(waiter));
    }

    void forget(Waiter waiter) {
        Set<String> missing = awaited.remove(waiter);
        if (missing != null) {
            missing.forEach(key -> removeWaiter(key, waiter));
        }
    }

    private void wakeAll(String key) {
        Set<Waiter> waiting = waiters.get(key);
        if (waiting != null) {
            List.copyOf(waiting).forEach(waiter -> wake(waiter, key));
        }
    }

    private void wake(Waiter waiter, String key) {
        removeWaiter(key, waiter);
        Set<String> missing = awaited.get(waiter);
        if (missing != null && missing.remove(key) && missing.isEmpty()) {
            awaited.remove(waiter);
            waiter.allThere();
        }
    }

    private void removeWaiter(String key, Waiter waiter) {
        Set<Waiter> waiting = waiters.get(key);
        if (waiting != null && waiting.remove(waiter) && waiting.isEmpty()) {
            waiters.remove(key);
        }
    }

    private void put(String key, byte[] value) {
        byte[] old = values.get(key);
        reserve((long) value.length - (old == null ? -key.length() : old.length));
        values.put(key, value);
    }

    private void reserve(long more) {
        if (bytes + more > limit) {
            throw new ProtocolException("more than " + limit + " bytes in the store");
        }
        bytes += more;
    }
}
