package jdiff.runtime.distributed;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import jdiff.runtime.distributed.ThreadTransport.Hub;
import jdiff.runtime.tensor.Device;
import org.jspecify.annotations.Nullable;

/** Runs the ranks of a job as threads of this JVM, so that "n ranks equal one rank" is an ordinary unit test. */
public final class ThreadRanks {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Map<String, Hub> hubs = new ConcurrentHashMap<>();
    private final Store store = new MemoryStore();
    private final int size;
    private final Duration timeout;

    private ThreadRanks(int size, Duration timeout) {
        this.size = size;
        this.timeout = timeout;
    }

    /**
     * Calls {@code body} once per rank, at the same time, with collectives compared before each call.
     *
     * @return the results, by rank
     * @throws RuntimeException what the first failing rank threw; the others are released
     */
    public static <T extends @Nullable Object> List<T> run(int size, Function<World, T> body) {
        return run(size, TIMEOUT, true, body);
    }

    static <T extends @Nullable Object> List<T> run(
            int size, Duration timeout, boolean check, Function<World, T> body) {
        return new ThreadRanks(size, timeout).runAll(check, body);
    }

    private <T extends @Nullable Object> List<T> runAll(boolean check, Function<World, T> body) {
        List<FutureTask<T>> ranks = new ArrayList<>();
        List<Throwable> failures = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            WorkerEnvironment environment = WorkerEnvironment.ofThread(rank, size);
            World world = new World(environment, Device.CPU, store, factory(rank, check), () -> {});
            FutureTask<T> task = new FutureTask<>(() -> {
                try {
                    return body.apply(world);
                } catch (RuntimeException | Error e) {
                    synchronized (failures) {
                        failures.add(e);
                    }
                    hubs.values().forEach(Hub::breakUp);
                    throw e;
                }
            });
            ranks.add(task);
            Thread thread = new Thread(task, "rank " + rank);
            thread.setDaemon(true);
            thread.start();
        }
        List<T> results = new ArrayList<>();
        for (FutureTask<T> rank : ranks) {
            try {
                results.add(rank.get());
            } catch (ExecutionException e) {
                // noted above, in the order in which they happened
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while ranks were running", e);
            }
        }
        if (!failures.isEmpty()) {
            rethrow(failures.get(0));
        }
        return results;
    }

    private GroupFactory factory(int rank, boolean check) {
        return (axis, members) -> {
            if (members.size() == 1) {
                return new SingleProcess(axis);
            }
            GroupId id = new GroupId(rank, axis, members);
            Hub hub = hubs.computeIfAbsent(id.key(), key -> new Hub(members.size(), timeout));
            StoreGather gather = new StoreGather(store.under("check/" + id.key() + "/"), id, timeout);
            CollectiveCheck comparison = new CollectiveCheck(id, gather);
            comparison.enable(check);
            return new PeerGroup(id, type -> new ThreadTransport(hub, id.index()), comparison);
        };
    }

    private static void rethrow(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) failure;
    }
}
