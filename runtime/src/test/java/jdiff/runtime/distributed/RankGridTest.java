package jdiff.runtime.distributed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import jdiff.runtime.distributed.RankGrid.Coordinates;
import org.junit.jupiter.api.Test;

class RankGridTest {
    @Test
    void the_example_of_sixteen_ranks_has_the_groups_of_the_specification() {
        RankGrid grid = new RankGrid(new ParallelDims(2, 2, 1, 2, 2));
        assertThat(groups(grid, Axis.TP)).startsWith(List.of(0, 1), List.of(2, 3));
        assertThat(groups(grid, Axis.ULYSSES)).startsWith(List.of(0, 2), List.of(1, 3), List.of(4, 6), List.of(5, 7));
        assertThat(groups(grid, Axis.CFG))
                .startsWith(List.of(0, 4), List.of(1, 5), List.of(2, 6), List.of(3, 7), List.of(8, 12));
        assertThat(groups(grid, Axis.REPLICA))
                .containsExactly(List.of(0, 1, 2, 3, 4, 5, 6, 7), List.of(8, 9, 10, 11, 12, 13, 14, 15));
        assertThat(groups(grid, Axis.BRANCH)).startsWith(List.of(0, 1, 2, 3), List.of(4, 5, 6, 7));
    }

    /** Every grid of up to 16 ranks: ranks by the formula, each axis a partition, neighbours differ on that axis only. */
    @Test
    void every_rank_of_every_grid_is_in_one_group_per_axis() {
        int grids = 0;
        for (int world = 1; world <= 16; world++) {
            for (ParallelDims dims : LegalDims.all(world)) {
                grids++;
                RankGrid grid = new RankGrid(dims);
                int next = 0;
                for (int dp = 0; dp < dims.dp(); dp++) {
                    for (int cfg = 0; cfg < dims.cfg(); cfg++) {
                        for (int ring = 0; ring < dims.ring(); ring++) {
                            for (int ulysses = 0; ulysses < dims.ulysses(); ulysses++) {
                                for (int tp = 0; tp < dims.tp(); tp++) {
                                    Coordinates at = new Coordinates(dp, cfg, ring, ulysses, tp);
                                    assertThat(grid.rank(at)).isEqualTo(next);
                                    assertThat(grid.coordinates(next)).isEqualTo(at);
                                    next++;
                                }
                            }
                        }
                    }
                }
                assertThat(next).isEqualTo(world);
                partition(grid, Axis.DP, dims.dp());
                partition(grid, Axis.CFG, dims.cfg());
                partition(grid, Axis.RING, dims.ring());
                partition(grid, Axis.ULYSSES, dims.ulysses());
                partition(grid, Axis.TP, dims.tp());
                partition(grid, Axis.CP, dims.cp());
                partition(grid, Axis.BRANCH, dims.cp() * dims.tp());
                partition(grid, Axis.REPLICA, dims.replicaSize());
            }
        }
        assertThat(grids).isGreaterThan(200);
    }

    @Test
    void the_place_in_the_cp_group_is_the_part_of_the_sequence() {
        RankGrid grid = new RankGrid(new ParallelDims(1, 1, 2, 3, 2));
        for (int rank = 0; rank < 12; rank++) {
            Coordinates at = grid.coordinates(rank);
            assertThat(grid.members(rank, Axis.CP).indexOf(rank)).isEqualTo(at.ring() * 3 + at.ulysses());
        }
    }

    private static void partition(RankGrid grid, Axis axis, int size) {
        Set<Integer> seen = new HashSet<>();
        for (List<Integer> group : groups(grid, axis)) {
            assertThat(group).hasSize(size).isSorted();
            assertThat(seen).doesNotContainAnyElementsOf(group);
            seen.addAll(group);
        }
        assertThat(seen).hasSize((int) grid.dims().product());
    }

    private static List<List<Integer>> groups(RankGrid grid, Axis axis) {
        List<List<Integer>> groups = new ArrayList<>();
        for (int rank = 0; rank < grid.dims().product(); rank++) {
            List<Integer> members = grid.members(rank, axis);
            assertThat(members).contains(rank);
            if (!groups.contains(members)) {
                groups.add(members);
            }
        }
        return groups;
    }
}
