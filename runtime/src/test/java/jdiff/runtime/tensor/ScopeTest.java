package jdiff.runtime.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ScopeTest {
    private long before;

    private record Pair(Tensor first, Tensor second) implements TensorGroup {
        @Override
        public void forEachTensor(Consumer<Tensor> action) {
            action.accept(first);
            action.accept(second);
        }
    }

    @BeforeEach
    void count() {
        before = Scope.liveTensors();
    }

    @AfterEach
    void nothing_is_left() {
        assertThat(Scope.liveTensors()).isEqualTo(before);
    }

    @Test
    void temporaries_die_and_the_result_moves_to_the_enclosing_scope() {
        Scope.tidy(() -> {
            Tensor x = ones(3);
            Tensor y = Scope.tidy(() -> x.add(x).mul(2.0));
            assertThat(Scope.liveTensors()).isEqualTo(before + 2);
            assertThat(y.toFloats()).containsExactly(4, 4, 4);
        });
    }

    @Test
    void a_group_and_a_list_move_as_a_whole() {
        Scope.tidy(() -> {
            Pair pair = Scope.tidy(() -> new Pair(ones(1).add(1.0), ones(2)));
            List<Tensor> list = Scope.tidy(() -> List.of(ones(1), ones(2).neg()));
            assertThat(Scope.liveTensors()).isEqualTo(before + 4);
            assertThat(pair.first().toFloats()).containsExactly(2);
            assertThat(list.get(1).toFloats()).containsExactly(-1, -1);
        });
    }

    @Test
    void a_view_outlives_its_base() {
        Scope.tidy(() -> {
            Tensor view = Scope.tidy(() -> Tensor.of(new float[] {1, 2, 3}, 3).narrow(0, 1, 2));
            assertThat(view.toFloats()).containsExactly(2, 3);
        });
    }

    @Test
    void fold_keeps_one_value_at_a_time_and_leaves_the_start_alone() {
        Scope.tidy(() -> {
            Tensor start = ones(2);
            Tensor end = Scope.fold(start, List.of(1, 2, 3), (x, i) -> {
                assertThat(Scope.liveTensors()).isLessThanOrEqualTo(before + 2);
                return x.add(i).add(0.0);
            });
            assertThat(end.toFloats()).containsExactly(7, 7);
            assertThat(start.toFloats()).containsExactly(1, 1);
            assertThat(Scope.liveTensors()).isEqualTo(before + 2);
        });
    }

    @Test
    void fold_survives_values_that_share_tensors_with_the_start_and_with_each_other() {
        Scope.tidy(() -> {
            Pair start = new Pair(ones(1), ones(1));
            Pair end = Scope.fold(
                    start, List.of(1, 2, 3), (p, i) -> new Pair(p.first().add(i), p.second()));
            assertThat(end.first().toFloats()).containsExactly(7);
            assertThat(end.second()).isSameAs(start.second());
            assertThat(start.second().toFloats()).containsExactly(1);
        });
    }

    @Test
    void an_exception_frees_everything() {
        assertThatThrownBy(() -> Scope.tidy(() -> {
                    ones(2).matmul(ones(3));
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("matmul of float32[2], float32[3]");
    }

    @Test
    void what_is_kept_lives_until_its_owner_closes_it() {
        Scope kept = Scope.keep();
        Tensor weight = kept.hold(() -> ones(4));
        Scope.tidy(() -> assertThat(weight.add(1.0).toFloats()).containsOnly(2));
        assertThat(Scope.liveTensors()).isEqualTo(before + 1);
        kept.close();
    }

    private static Tensor ones(long n) {
        return Tensor.full(1, DType.F32, Device.CPU, n);
    }
}
