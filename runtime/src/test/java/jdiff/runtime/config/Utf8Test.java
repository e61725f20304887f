package jdiff.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class Utf8Test {
    @Test
    void text_of_any_script_is_decoded_and_has_no_bad_byte() {
        byte[] bytes = "aé猫😀".getBytes(StandardCharsets.UTF_8);
        assertThat(Utf8.decode(bytes, bytes.length)).isEqualTo("aé猫😀");
        assertThat(Utf8.badByte(bytes, bytes.length)).isEqualTo(-1);
        assertThat(Utf8.decode(bytes, 3)).isEqualTo("aé");
    }

    @Test
    void a_bad_byte_has_its_offset_wherever_it_stands() {
        byte[] bytes = "x".repeat(20_000).getBytes(StandardCharsets.UTF_8); // more than one buffer
        bytes[19_000] = (byte) 0xff;
        assertThat(Utf8.decode(bytes, bytes.length)).isNull();
        assertThat(Utf8.badByte(bytes, bytes.length)).isEqualTo(19_000);
        byte[] cut = {'a', (byte) 0xe7, (byte) 0x8c}; // two of three bytes
        assertThat(Utf8.badByte(cut, cut.length)).isEqualTo(1);
    }

    @Test
    void a_surrogate_alone_is_found_and_a_pair_is_not() {
        assertThat(Utf8.loneSurrogate("a😀b")).isEqualTo(-1);
        assertThat(Utf8.loneSurrogate("😀\ud83d")).isEqualTo(2);
        assertThat(Utf8.loneSurrogate("\ude00😀")).isZero();
    }
}
