package jdiff.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ArgumentsTest {
    @Test
    void the_last_words_are_decoded_as_utf8() {
        byte[] line = "java\0-cp\0x\0Main\0ärger\0\0日本\0".getBytes(StandardCharsets.UTF_8);
        assertThat(Arguments.decode(line, 3)).containsExactly("ärger", "", "日本");
    }

    @Test
    void a_word_that_is_not_utf8_is_refused() {
        assertThatThrownBy(() -> Arguments.decode(new byte[] {'a', (byte) 0xff, 0}, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not valid UTF-8");
    }
}
