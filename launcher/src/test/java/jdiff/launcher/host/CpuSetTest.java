package jdiff.launcher.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CpuSetTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0|{0}", "0-3|{0, 1, 2, 3}", "0-1,8,10-11|{0, 1, 8, 10, 11}", "' 2 '|{2}", "''|{}"})
    void lists_are_read(String text, String set) {
        assertThat(CpuSet.parse(text)).hasToString(set);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "1-", "-1", "3-1", "1,,2", "1-2-3", "99999999999", "70000"})
    void anything_else_is_refused_with_the_text(String text) {
        assertThatThrownBy(() -> CpuSet.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(text);
    }

    @Test
    void random_texts_give_a_set_or_an_illegal_argument() {
        var random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            var text = new StringBuilder();
            int length = random.nextInt(8);
            for (int j = 0; j < length; j++) {
                text.append("0123456789,- x".charAt(random.nextInt(14)));
            }
            try {
                CpuSet.parse(text.toString());
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageContaining("CPU list");
            }
        }
    }
}
