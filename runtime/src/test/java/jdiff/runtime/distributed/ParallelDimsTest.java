package jdiff.runtime.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParallelDimsTest {
    @ParameterizedTest
    @CsvSource({
        "dp, 0, 'dp-degree must be an integer of at least 1, got 0'",
        "tp, two, 'tp-degree must be an integer of at least 1, got two'",
        "ulysses, -1, 'ulysses-degree must be an integer of at least 1, got -1'",
        "ring, 1.5, 'ring-degree must be an integer of at least 1, got 1.5'"
    })
    void e1_a_degree_is_an_integer_of_at_least_one(String axis, String text, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ParallelDims.parseDegree(axis, text))
                .withMessage(message);
    }

    @Test
    void e1_cfg_is_one_or_two() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ParallelDims(1, 3, 1, 1, 1))
                .withMessage("cfg-degree must be 1 or 2, got 3");
    }

    @Test
    void e2_the_product_is_the_world_size() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ParallelDims.of(4, 1, 2, 1, 1, 1))
                .withMessage("world size 4 does not match dp 1 x cfg 2 x ring 1 x ulysses 1 x tp 1 = 2; closest legal: "
                        + "dp 2 x cfg 2 x ring 1 x ulysses 1 x tp 1; dp 1 x cfg 2 x ring 1 x ulysses 1 x tp 2; "
                        + "dp 1 x cfg 2 x ring 1 x ulysses 2 x tp 1");
    }

    @Test
    void e3_the_replica_divides_the_world_size() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ParallelDims.of(4, null, 1, 1, 1, 3))
                .withMessage("cfg 1 x ring 1 x ulysses 1 x tp 3 = 3 does not divide world size 4; closest legal: "
                        + "dp 1 x cfg 1 x ring 1 x ulysses 1 x tp 4; dp 2 x cfg 1 x ring 1 x ulysses 1 x tp 2; "
                        + "dp 4 x cfg 1 x ring 1 x ulysses 1 x tp 1");
    }

    @Test
    void dp_takes_what_is_left() {
        assertThat(ParallelDims.of(8, null, 2, 1, 1, 2)).isEqualTo(new ParallelDims(2, 2, 1, 1, 2));
        assertThat(ParallelDims.of(3, null, 1, 1, 1, 1).dp()).isEqualTo(3);
    }
}
