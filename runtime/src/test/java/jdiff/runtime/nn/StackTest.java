package jdiff.runtime.nn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Movable;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.tensor.TensorGroup;
import org.junit.jupiter.api.Test;

/** Which value goes where and how often, told by values that write it down; no second device is needed for that. */
class StackTest {
    private static final Device A = new Device(Device.Type.CPU, 0);
    private static final Device B = new Device(Device.Type.CPU, 1);
    private static final Device C = new Device(Device.Type.CPU, 2);

    private final List<String> moves = new ArrayList<>();

    /** A value that knows its device and notes each move. */
    private record Noted(String name, Device device, List<String> moves) implements Movable<Noted>, TensorGroup {
        @Override
        public Noted to(Device to) {
            moves.add(name + " " + device + " > " + to);
            return new Noted(name, to, moves);
        }

        @Override
        public void forEachTensor(Consumer<Tensor> action) {}
    }

    /** A block that computes only where everything is on its own device. */
    private Noted run(Device home, Device... devices) {
        Stack<Device> stack = new Stack<>(home, List.of(devices), List.of(devices));
        return stack.fold(
                new Noted("state", home, moves), new Noted("inputs", home, moves), (device, state, inputs) -> {
                    assertThat(state.device()).isEqualTo(device);
                    assertThat(inputs.device()).isEqualTo(device);
                    return state;
                });
    }

    @Test
    void nothing_moves_where_all_blocks_are_at_home() {
        long before = Seam.crossings();
        assertThat(run(A, A, A, A).device()).isEqualTo(A);
        assertThat(run(C, C, C).device()).isEqualTo(C);
        assertThat(run(B).device()).isEqualTo(B);
        assertThat(moves).isEmpty();
        assertThat(Seam.crossings()).isEqualTo(before);
    }

    @Test
    void the_state_moves_where_the_device_changes_and_comes_back() {
        assertThat(run(A, A, B, B, C).device()).isEqualTo(A);
        assertThat(moves)
                .containsExactlyInAnyOrder(
                        "inputs cpu > cpu:1",
                        "inputs cpu > cpu:2",
                        "state cpu > cpu:1",
                        "state cpu:1 > cpu:2",
                        "state cpu:2 > cpu");
    }

    @Test
    void inputs_go_to_a_device_once_however_often_the_state_returns_to_it() {
        long before = Seam.crossings();
        run(A, B, A, B, A, B);
        assertThat(moves).filteredOn(move -> move.startsWith("inputs")).containsExactly("inputs cpu > cpu:1");
        assertThat(moves).filteredOn(move -> move.startsWith("state")).hasSize(6);
        assertThat(Seam.crossings() - before).isEqualTo(7);
    }

    @Test
    void blocks_that_all_live_away_from_home_are_entered_and_left_once() {
        run(A, B, B, B);
        assertThat(moves).containsExactly("inputs cpu > cpu:1", "state cpu > cpu:1", "state cpu:1 > cpu");
    }

    @Test
    void values_are_the_same_over_any_devices_and_only_the_result_stays() {
        Tensor start = Tensor.of(new float[] {1, 2, 3}, 3);
        Tensor inputs = Tensor.full(0.1, DType.F32, Device.CPU, 3);
        List<Double> factors = List.of(0.3, 0.7, 1.9);
        Tensor here = fold(factors, List.of(A, A, A), start, inputs);
        try (Scope scope = Scope.keep()) {
            long before = Scope.liveTensors();
            Tensor there = scope.hold(() -> fold(factors, List.of(B, C, A), start, inputs));
            assertThat(Scope.liveTensors()).isEqualTo(before + 1);
            assertThat(there.equal(here)).isTrue();
        }
    }

    private static Tensor fold(List<Double> factors, List<Device> devices, Tensor start, Tensor inputs) {
        return new Stack<>(A, factors, devices)
                .fold(start, inputs, (factor, state, add) -> state.mul(factor).add(add));
    }
}
