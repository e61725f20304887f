package jdiff.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigTest {
    @TempDir
    Path dir;

    @Test
    void typed_values_come_back_and_null_counts_as_absent() throws FaultException {
        Config c = Config.parse("c.json", """
                {"layers": 60, "eps": 1e-6, "name": "é", "on": true, "none": null, "axes": [16, 56], "std": [1, 2.5],
                 "down": [false, true], "words": ["a"], "text_config": {"size": 7}, "vae": ["diffusers", "Vae"], "no": [null, null]}
                """);
        assertThat(c.integer("layers")).isEqualTo(60);
        assertThat(c.number("eps")).isEqualTo(1e-6);
        assertThat(c.number("layers")).isEqualTo(60);
        assertThat(c.string("name")).isEqualTo("é");
        assertThat(c.flag("on")).isTrue();
        assertThat(c.has("none")).isFalse();
        assertThat(c.keys()).contains("none");
        assertThat(c.integer("none", 5)).isEqualTo(5);
        assertThat(c.integers("axes")).containsExactly(16, 56);
        assertThat(c.integers("absent", 1, 2)).containsExactly(1, 2);
        assertThat(c.numbers("std")).containsExactly(1, 2.5);
        assertThat(c.flags("down")).containsExactly(false, true);
        assertThat(c.strings("words")).containsExactly("a");
        assertThat(c.object("text_config").positive("size", 10)).isEqualTo(7);
        assertThat(c.component("vae")).isEqualTo(new Config.Component("diffusers", "Vae"));
        assertThat(c.component("no")).isNull();
    }

    @Test
    void a_git_lfs_pointer_is_named_as_such() throws IOException {
        Path file = Files.writeString(
                dir.resolve("tokenizer.json"), "version https://git-lfs.github.com/spec/v1\nsize 77\n");
        bad(
                () -> Config.read(file),
                "tokenizer.json: Git LFS pointer, not the file itself: it stands for a file of 77 bytes; run `git lfs pull`");
    }

    @Test
    void the_parsers_advice_to_programmers_is_not_shown() {
        bad(() -> Config.parse("c.json", "{\"a\": NaN}"), "c.json:1:10: Non-standard token 'NaN'");
        bad(() -> Config.parse("c.json", "{\"a\": 1"), "expected close marker for Object");
        assertThatThrownBy(() -> Config.parse("c.json", "{\"a\": 1")).message().doesNotContain("Source");
        assertThatThrownBy(() -> Config.parse("c.json", "{\"a\": NaN}"))
                .message()
                .doesNotContain("Feature");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2.5", "1e3", "1e308", "2.0", "\"3\"", "true", "99999999999", "[1]"})
    void what_is_no_whole_number_is_refused_with_place_key_and_value(String literal) throws FaultException {
        Config c = Config.parse("c.json", "{\n  \"deep\": {\"layers\": " + literal + "}}")
                .object("deep");
        bad(() -> c.integer("layers"), "c.json:2:22: deep.layers: wanted a whole number, found ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "11"})
    void numbers_out_of_range_are_refused(String literal) throws FaultException {
        Config c = Config.parse("c.json", "{\"layers\": " + literal + "}");
        bad(() -> c.positive("layers", 1, 10), "layers: wanted a whole number from 1 to 10, found " + literal);
    }

    @Test
    void infinite_numbers_are_refused() throws FaultException {
        Config c = Config.parse("c.json", "{\"eps\": 1e999}");
        bad(() -> c.number("eps"), "eps: wanted a finite number, found 1e999");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\": 1, \"a\": 2}  | c.json:1:13: Duplicate",
                "{\"a\": NaN}          | c.json:1:",
                "{\"a\": 1             | c.json:1:",
                "{\"a\": 1} x          | c.json:1:",
                "[1]                   | c.json:1:1: wanted an object, found a list of 1",
                "`\n{\n  \"a\": 01}`   | c.json:3:",
                "``                    | c.json:1:1: the document ends where a value was expected",
            })
    void broken_documents_name_line_and_column(String text, String message) {
        bad(() -> Config.parse("c.json", text), message);
    }

    @Test
    void deep_nesting_is_refused() {
        String text = "{\"a\":" + "[".repeat(64) + "]".repeat(64) + "}";
        bad(() -> Config.parse("c.json", text), "64");
    }

    @Test
    void missing_keys_are_named() throws FaultException {
        Config c = Config.parse("c.json", "{\"a\": {}}");
        bad(() -> c.object("a").string("b"), "c.json: the key a.b is missing");
    }

    @Test
    void a_value_that_is_not_supported_is_an_error() throws FaultException {
        Config c = Config.parse("c.json", "{\"zero_cond_t\": true, \"scales\": [], \"type\": \"x\", \"n\": 2.0}");
        bad(() -> c.requireValue("zero_cond_t", false), "zero_cond_t: supported here: false, found true");
        bad(() -> c.requireValue("type", "y", "z"), "type: supported here: one of [y, z], found \"x\"");
        c.requireValue("scales", List.of());
        c.requireValue("n", 2);
        c.requireValue("absent", "anything");
    }

    @Test
    void missing_files_and_folders_are_told_apart() throws IOException {
        assertThatThrownBy(() -> Config.read(dir.resolve("config.json")))
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault()).isEqualTo(Fault.NO_INPUT))
                .hasMessageContaining("config.json: no such file");
        bad(() -> Config.read(dir), "wanted a regular file, found a folder");
        Files.createSymbolicLink(dir.resolve("link.json"), dir.resolve("nowhere"));
        assertThatThrownBy(() -> Config.read(dir.resolve("link.json"))).hasMessageContaining("download incomplete");
    }

    @Test
    void files_above_the_limit_or_in_another_encoding_are_refused() throws IOException {
        Path large = dir.resolve("large.json");
        Files.writeString(large, " ".repeat((int) JsonReader.SMALL + 1));
        bad(() -> Config.read(large), "above the limit of 16777216");
        Path latin = dir.resolve("latin.json");
        Files.write(latin, "{\"a\": \"é\"}".getBytes(StandardCharsets.ISO_8859_1));
        bad(() -> Config.read(latin), "not UTF-8 text: bad byte at offset 7");
    }

    private static void bad(ThrowingCallable call, String message) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault()).isEqualTo(Fault.BAD_INPUT))
                .hasMessageContaining(message);
    }
}
