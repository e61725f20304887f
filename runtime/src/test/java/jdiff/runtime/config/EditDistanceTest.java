package jdiff.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EditDistanceTest {
    @ParameterizedTest
    @CsvSource({
        "'', '', 0",
        "'', abc, 3",
        "abc, '', 3",
        "to_q, to_k, 1",
        "kitten, sitting, 3",
        "ab, ba, 2",
        "flaw, lawn, 2"
    })
    void the_distance_is_the_least_number_of_changes_up_to_the_limit(String a, String b, int expected) {
        for (int limit = 1; limit <= 10; limit++) {
            assertThat(EditDistance.of(a, b, limit)).isEqualTo(Math.min(expected, limit));
        }
        assertThat(EditDistance.of(a, b, Integer.MAX_VALUE)).isEqualTo(expected);
    }
}
