package jdiff.runtime.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProcessGroupTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void every_collective_gives_the_known_result(int ranks) {
        ThreadRanks.run(ranks, world -> {
            long before = Scope.liveTensors();
            Collectives.exercise(world.group());
            return before;
        });
    }

    @Test
    void counters_are_exact() {
        ThreadRanks.run(2, world -> {
            Collectives.countersOfTwoRanksAreExact(world.group());
            return true;
        });
    }

    @Test
    void the_groups_of_a_mesh_are_independent() {
        ParallelDims dims = new ParallelDims(1, 2, 1, 2, 2);
        ThreadRanks.run(
                8,
                world -> Scope.tidy(() -> {
                    DeviceMesh mesh = world.mesh(dims);
                    for (Axis axis : List.of(Axis.TP, Axis.ULYSSES, Axis.CFG, Axis.BRANCH, Axis.REPLICA)) {
                        Tensor x = Tensor.full(world.rank(), DType.F32, Device.CPU, 1);
                        mesh.group(axis).allReduce_(x);
                        int sum = mesh.ranks(axis).stream().mapToInt(i -> i).sum();
                        assertThat(x.item()).isEqualTo(sum);
                    }
                    assertThat(mesh.group(Axis.RING)).isInstanceOf(SingleProcess.class);
                    assertThatIllegalArgumentException().isThrownBy(() -> mesh.group(Axis.DP));
                    return true;
                }));
    }

    @Test
    void ranks_that_disagree_about_a_shape_are_named_before_anything_is_sent() {
        assertThatExceptionOfType(DistributedException.class)
                .isThrownBy(() -> ThreadRanks.run(
                        2,
                        world -> Scope.tidy(
                                () -> world.group().allReduce_(Tensor.zeros(DType.F32, Device.CPU, world.rank() + 3)))))
                .withMessageMatching("\\[rank (0, world 0/2] all-reduce float32\\[3] differs from rank 1: all-reduce"
                        + " float32\\[4]|1, world 1/2] all-reduce float32\\[4] differs from rank 0: .*)")
                .satisfies(e -> assertThat(e.fault()).isEqualTo(Fault.CONFIG));
    }

    @Test
    void ranks_that_disagree_about_the_operation_are_named() {
        assertThatExceptionOfType(DistributedException.class)
                .isThrownBy(() -> ThreadRanks.run(2, world -> {
                    if (world.rank() == 0) {
                        world.group().barrier();
                    } else {
                        world.group().allGather(Tensor.zeros(DType.F32, Device.CPU, 2), 0);
                    }
                    return true;
                }))
                .withMessageContaining("differs from rank");
    }

    @Test
    void messages_of_unexpected_length_are_named() {
        assertThatExceptionOfType(DistributedException.class)
                .isThrownBy(() -> ThreadRanks.run(
                        2,
                        world -> world.group()
                                .allToAll(
                                        List.of(Collectives.filled(0, 1, 1), Collectives.filled(0, 1, 1)),
                                        List.of(new long[] {1, 1}, new long[] {world.rank() == 0 ? 2 : 1, 1}))))
                .withMessageContaining("all-to-all float32: 1 elements for rank");
    }

    @Test
    void a_rank_that_fails_releases_the_others_as_lost_peer() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> ThreadRanks.run(3, world -> {
                    if (world.rank() == 2) {
                        throw new IllegalStateException("out of luck");
                    }
                    world.group().checkCollectives(false);
                    assertThatExceptionOfType(DistributedException.class)
                            .isThrownBy(() -> world.group().barrier())
                            .withMessageMatching("\\[rank [01], world [01]/3] barrier: connection closed by peer")
                            .satisfies(e -> assertThat(e.fault()).isEqualTo(Fault.PEER_LOST));
                    return true;
                }))
                .withMessage("out of luck");
    }

    @Test
    void a_rank_that_does_not_come_is_named_by_the_world_barrier() {
        StoreGather gather =
                new StoreGather(new MemoryStore(), new GroupId(1, "world", List.of(0, 1, 2)), Duration.ofMillis(50));
        assertThatExceptionOfType(DistributedException.class)
                .isThrownBy(() -> gather.all(""))
                .withMessageStartingWith("[rank 1, world 1/3] waited 0 s for rank 0, rank 2;");
    }

    @Test
    void calls_that_are_wrong_here_are_refused_here() {
        ThreadRanks.run(2, world -> {
            Tensor x = Tensor.zeros(DType.F32, Device.CPU, 2);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> world.group().allGather(x, 0, 5, 5))
                    .withMessageContaining("world " + world.rank() + "/2] all-gather: float32[2] along dim 0");
            assertThatIllegalArgumentException().isThrownBy(() -> world.group().send(x, world.rank()));
            assertThatIllegalArgumentException().isThrownBy(() -> world.group().broadcast_(x, 2));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> world.group().allReduce_(Tensor.zeros(DType.BOOL, Device.CPU, 2)));
            return true;
        });
    }
}
