package jdiff.runtime.distributed;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.tensor.Device;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * This process's place in its job: rank, device, store and peers. Under {@code jdiff launch} or torchrun it is one of many, alone
 * it is rank 0 of 1, and the same program works.
 *
 * <pre>{@code
 * try (World world = World.join()) {
 *     for (String prompt : world.split(prompts)) { .. }
 * }
 * }</pre>
 *
 * Joining connects to the job's store and nothing else; connections between ranks are made by the first collective.
 */
public final class World implements AutoCloseable {
    private static final Logger LOG = LogManager.getLogger();

    private final WorkerEnvironment environment;
    private final Device device;
    private final Store store;
    private final GroupFactory factory;
    private final Runnable leave;
    private final StoreGather rollCall;
    private @Nullable ProcessGroup group;

    World(WorkerEnvironment environment, Device device, Store store, GroupFactory factory, Runnable leave) {
        this.environment = environment;
        this.device = device;
        this.store = store;
        this.factory = factory;
        this.leave = leave;
        GroupId everybody = new GroupId(environment.rank(), "world", allRanks(environment));
        this.rollCall = new StoreGather(store.under("barrier/"), everybody, environment.groupTimeout());
    }

    /**
     * Joins the job that the environment variables describe, or starts one of a single process.
     *
     * @throws FaultException if the variables are incomplete, the device is missing or the store cannot be reached
     */
    public static World join() throws FaultException {
        return join(System.getenv());
    }

    /** As {@link #join()}, with these environment variables. */
    public static World join(Map<String, String> variables) throws FaultException {
        return Joining.join(WorkerEnvironment.parse(variables), variables);
    }

    public int rank() {
        return environment.rank();
    }

    /** Number of ranks. */
    public int size() {
        return environment.worldSize();
    }

    /** Where this rank computes. */
    public Device device() {
        return device;
    }

    /** The job's store, under keys of this attempt. */
    public Store store() {
        return store;
    }

    /** All ranks. Data parallel jobs do without it: one rank that dies ends a collective for all. */
    public ProcessGroup group() {
        if (group == null) {
            group = factory.create("world", allRanks(environment));
        }
        return group;
    }

    /**
     * The grid of these degrees.
     *
     * @throws IllegalArgumentException if their product is not the number of ranks
     */
    public DeviceMesh mesh(ParallelDims dims) {
        var mesh = new DeviceMesh(dims.check(size()), rank(), factory);
        if (rank() == 0 && size() > 1) {
            LOG.info(new RankGrid(dims).table());
        }
        return mesh;
    }

    /** This rank's share: contiguous, at most one longer than another's, nothing repeated; may be empty. */
    public <T> List<T> split(List<T> items) {
        return Split.part(items, size(), rank());
    }

    /** One queue of the numbers below {@code count} for the whole job, from which the ranks take as they have time. */
    public DynamicQueue queue(String name, int count) {
        return new DynamicQueue(store, name, count);
    }

    /** Returns when all ranks have called it; needs the store only. */
    public void barrier() {
        if (size() > 1) {
            rollCall.all("");
        }
    }

    /** Closes groups and store. Enters no collective: it may be called after a failure. */
    @Override
    public void close() {
        leave.run();
    }

    /** How long to try to reach the store: a launcher has it up before it starts a worker. */
    static Duration connectTimeout() {
        return Duration.ofMinutes(1);
    }

    private static List<Integer> allRanks(WorkerEnvironment environment) {
        return IntStream.range(0, environment.worldSize()).boxed().toList();
    }
}
