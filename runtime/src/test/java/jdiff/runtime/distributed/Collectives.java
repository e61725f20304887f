package jdiff.runtime.distributed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import jdiff.runtime.distributed.ProcessGroup.Operation;
import jdiff.runtime.distributed.ProcessGroup.Traffic;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;

/** Every operation of a group with known results, run on threads, on processes and, with one rank, on NCCL. */
final class Collectives {
    private Collectives() {}

    static void exercise(ProcessGroup group) {
        Scope.tidy(() -> {
            allReduce(group);
            broadcast(group);
            allGather(group);
            allToAll(group);
            sendReceive(group);
            ring(group);
            group.barrier();
        });
    }

    private static void allReduce(ProcessGroup group) {
        int n = group.size();
        for (DType dtype : List.of(DType.F32, DType.F64, DType.BF16, DType.F16, DType.I64, DType.I32)) {
            Tensor x = Tensor.full(group.rank() + 1, dtype, Device.CPU, 3, 2);
            assertThat(group.allReduce_(x)).isSameAs(x);
            assertThat(x.toFloats()).containsOnly(n * (n + 1) / 2f);
        }
        Tensor turned = filled(group.rank(), 2, 3).transpose(0, 1);
        group.allReduce_(turned);
        assertThat(turned.toFloats()[0]).isEqualTo(100f * n * (n - 1) / 2);
        group.allReduce_(Tensor.zeros(DType.F32, Device.CPU, 0, 4));
    }

    private static void broadcast(ProcessGroup group) {
        for (int root = 0; root < group.size(); root++) {
            Tensor x = filled(group.rank(), 2, 2);
            assertThat(group.broadcast_(x, root).toFloats())
                    .isEqualTo(filled(root, 2, 2).toFloats());
        }
    }

    /** Rank i has i rows or columns, so rank 0 has none. */
    private static void allGather(ProcessGroup group) {
        long[] lengths = new long[group.size()];
        Arrays.setAll(lengths, i -> i);
        for (int dim : new int[] {0, 1, -1}) {
            Tensor mine = dim == 0 ? filled(group.rank(), group.rank(), 3) : filled(group.rank(), 3, group.rank());
            Tensor whole = group.allGather(mine, dim, lengths);
            List<Tensor> parts = new ArrayList<>();
            for (int i = 0; i < group.size(); i++) {
                parts.add(dim == 0 ? filled(i, i, 3) : filled(i, 3, i));
            }
            assertThat(whole.equal(Tensor.cat(parts, dim))).isTrue();
        }
        assertThat(group.allGather(filled(group.rank(), 1, 2), 0).shape()).containsExactly(group.size(), 2);
    }

    /** Rank i sends i + j rows to rank j, so rank 0 keeps none for itself. */
    private static void allToAll(ProcessGroup group) {
        List<Tensor> parts = new ArrayList<>();
        List<long[]> shapes = new ArrayList<>();
        for (int j = 0; j < group.size(); j++) {
            parts.add(filled(10 * group.rank() + j, group.rank() + j, 2));
            shapes.add(new long[] {group.rank() + j, 2});
        }
        List<Tensor> received = group.allToAll(parts, shapes);
        for (int i = 0; i < group.size(); i++) {
            assertThat(received.get(i).equal(filled(10 * i + group.rank(), group.rank() + i, 2)))
                    .isTrue();
        }
    }

    private static void sendReceive(ProcessGroup group) {
        if (group.size() == 1) {
            return;
        }
        int last = group.size() - 1;
        if (group.rank() == 0) {
            group.send(filled(7, 2, 2), last);
        } else if (group.rank() == last) {
            assertThat(group.receive(DType.F32, Device.CPU, 0, 2, 2).equal(filled(7, 2, 2)))
                    .isTrue();
        }
    }

    /** Blocks of differing lengths once around. */
    private static void ring(ProcessGroup group) {
        int n = group.size();
        Tensor block = filled(group.rank(), group.rank() + 1, 2);
        for (int step = 1; step <= n; step++) {
            int owner = Math.floorMod(group.rank() - step, n);
            Tensor incoming = Tensor.empty(DType.F32, Device.CPU, owner + 1, 2);
            ProcessGroup.Pending pending =
                    group.exchange(block, (group.rank() + 1) % n, incoming, Math.floorMod(group.rank() - 1, n));
            pending.await();
            block = incoming;
            assertThat(block.equal(filled(owner, owner + 1, 2))).isTrue();
        }
    }

    /** The bytes that {@link #exercise} sends on rank 0 of two. */
    static void countersOfTwoRanksAreExact(ProcessGroup group) {
        Scope.tidy(() -> {
            Traffic before = group.traffic(Operation.ALL_REDUCE);
            group.allReduce_(Tensor.zeros(DType.F32, Device.CPU, 10));
            assertThat(group.traffic(Operation.ALL_REDUCE))
                    .isEqualTo(new Traffic(before.calls() + 1, before.bytesSent() + 40));
            before = group.traffic(Operation.ALL_GATHER);
            group.allGather(Tensor.zeros(DType.BF16, Device.CPU, 2, group.rank() + 3), 1, 3, 4);
            assertThat(group.traffic(Operation.ALL_GATHER))
                    .isEqualTo(new Traffic(before.calls() + 1, before.bytesSent() + 4L * (group.rank() + 3)));
            before = group.traffic(Operation.BROADCAST);
            group.broadcast_(Tensor.zeros(DType.F32, Device.CPU, 5), 1);
            assertThat(group.traffic(Operation.BROADCAST))
                    .isEqualTo(new Traffic(before.calls() + 1, before.bytesSent() + 20L * group.rank()));
        });
    }

    /** [rows, columns] of 100 * seed + index. */
    static Tensor filled(int seed, long rows, long columns) {
        float[] values = new float[(int) (rows * columns)];
        for (int i = 0; i < values.length; i++) {
            values[i] = 100 * seed + i;
        }
        return Tensor.of(values, rows, columns);
    }
}
