package jdiff.runtime.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PlannedMeshTest {
    @Test
    void groups_of_a_planned_grid_know_their_place_and_refuse_to_communicate() {
        DeviceMesh mesh = DeviceMesh.planned(new ParallelDims(2, 2, 1, 2, 3), 10);
        ProcessGroup tp = mesh.group(Axis.TP);
        assertThat(tp.rank()).isEqualTo(1);
        assertThat(tp.size()).isEqualTo(3);
        assertThat(mesh.group(Axis.ULYSSES).rank()).isEqualTo(1);
        assertThat(mesh.group(Axis.RING).size()).isEqualTo(1);
        assertThatThrownBy(tp::barrier)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("[tp 1/3] barrier in a grid that is only planned");
        assertThatThrownBy(() -> DeviceMesh.planned(ParallelDims.ONE, 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
