package jdiff.runtime.distributed;

import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;

/** One rank of {@link GlooProcessTest}; its last line on stderr is the result. */
final class GlooMain {
    private GlooMain() {}

    public static void main(String[] args) throws Exception {
        long start = System.nanoTime();
        try (World world = World.join()) {
            report("join", start);
            world.barrier();
            switch (args[0]) {
                case "collectives" -> collectives(world);
                case "lost" -> lost(world);
                case "differ" -> differ(world);
                default -> throw new IllegalArgumentException(args[0]);
            }
        }
        System.err.println("done");
    }

    private static void collectives(World world) {
        long start = System.nanoTime();
        ProcessGroup group = world.group();
        group.checkCollectives(true);
        Collectives.exercise(group);
        report("first round of collectives", start);
        Collectives.countersOfTwoRanksAreExact(group);
        group.checkCollectives(false);
        Collectives.exercise(group);
        DeviceMesh mesh = world.mesh(new ParallelDims(1, 1, 1, 1, 2));
        Collectives.exercise(mesh.group(Axis.TP));
    }

    private static void lost(World world) {
        world.group().barrier();
        if (world.rank() == 1) {
            Runtime.getRuntime().halt(9);
        }
        try {
            sum(world, 3);
        } catch (DistributedException e) {
            System.err.println(e.fault() + " " + e.getMessage());
        }
    }

    private static void differ(World world) {
        world.group().checkCollectives(true);
        try {
            sum(world, 3 + world.rank());
        } catch (DistributedException e) {
            System.err.println(e.fault() + " " + e.getMessage());
        }
    }

    private static void sum(World world, long length) {
        Scope.tidy(() -> {
            world.group().allReduce_(Tensor.zeros(DType.F32, Device.CPU, length));
        });
    }

    private static void report(String what, long start) {
        System.err.printf("%s %.1f ms%n", what, (System.nanoTime() - start) / 1e6);
    }
}
