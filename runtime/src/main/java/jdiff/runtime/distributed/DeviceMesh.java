package jdiff.runtime.distributed;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * This rank's place in the grid and its group on each axis. A group is made when it is first asked for, and connects at its first
 * collective; a group of one rank is no group at all: its collectives return at once.
 */
public final class DeviceMesh {
    private final RankGrid grid;
    private final int rank;
    private final GroupFactory factory;
    private final Map<Axis, ProcessGroup> groups = new EnumMap<>(Axis.class);

    DeviceMesh(ParallelDims dims, int rank, GroupFactory factory) {
        this.grid = new RankGrid(dims);
        this.rank = rank;
        this.factory = factory;
        grid.coordinates(rank); // refuses a rank outside the grid
    }

    /** The mesh of a single process. */
    public static DeviceMesh single() {
        return new DeviceMesh(ParallelDims.ONE, 0, (axis, ranks) -> new SingleProcess(axis));
    }

    /**
     * A place in a grid of ranks that do not exist, for plans: its groups know rank and size, their collectives are
     * IllegalStateExceptions.
     */
    public static DeviceMesh planned(ParallelDims dims, int rank) {
        return new DeviceMesh(dims, rank, (axis, ranks) -> new PlannedGroup(axis, ranks.indexOf(rank), ranks.size()));
    }

    public ParallelDims dims() {
        return grid.dims();
    }

    /** The global rank. */
    public int rank() {
        return rank;
    }

    /** This rank's place in its group of the axis. */
    public int index(Axis axis) {
        return ranks(axis).indexOf(rank);
    }

    /** Global ranks of this rank's group. */
    public List<Integer> ranks(Axis axis) {
        return grid.members(rank, axis);
    }

    /**
     * This rank's group of the axis.
     *
     * @throws IllegalArgumentException for {@link Axis#DP}: no collective spans replicas
     */
    public ProcessGroup group(Axis axis) {
        if (axis == Axis.DP) {
            throw new IllegalArgumentException(
                    "no collective spans replicas: one that dies must not block the others; share work through the store");
        }
        return groups.computeIfAbsent(axis, wanted -> factory.create(wanted.word(), ranks(wanted)));
    }
}
