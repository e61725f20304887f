package jdiff.launcher.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ErrorFileTest {
    private static ErrorFile parse(String json) {
        return ErrorFile.parse(json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void our_form_and_torchruns_forms_are_read() {
        var ours = parse("""
                {"message": {"message": "a.B: text", "extraInfo": {"py_callstack": "st", "timestamp": "1"}}, "rank": 1,
                 "cause": "bad-input", "prompt": "line 3"}""");
        assertThat(ours).isEqualTo(new ErrorFile("a.B: text", "bad-input", "st", "line 3"));
        var torchrun = parse(
                "{\"message\": {\"message\": \"RuntimeError: x\", \"extraInfo\": {\"py_callstack\": \"tb\", \"timestamp\": \"1\"}}}");
        assertThat(torchrun).isEqualTo(new ErrorFile("RuntimeError: x", "", "tb", ""));
        assertThat(parse("{\"message\": \"flat\"}")).isEqualTo(new ErrorFile("flat", "", "", ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{}",
                "{\"message\": {\"message\": \"cut",
                "{\"message\": \"cut\"",
                "{\"message\": 1",
                "{\"message\": {\"extraInfo\": {}}}",
                "{\"message\": \" \"}",
                "\0\0\0"
            })
    void everything_else_counts_as_no_file(String json) {
        assertThat(parse(json)).isNull();
    }

    @Test
    void deep_and_random_files_end_in_null_or_a_message() {
        assertThat(parse("{\"a\":".repeat(5000))).isNull();
        byte[] valid = "{\"message\": {\"message\": \"m\"}, \"cause\": \"io\"}".getBytes(StandardCharsets.UTF_8);
        var random = new Random(1);
        for (int i = 0; i < 5000; i++) {
            byte[] mutated = valid.clone();
            mutated[random.nextInt(mutated.length)] = (byte) random.nextInt(256);
            ErrorFile.parse(mutated);
        }
    }

    @Test
    void missing_large_and_linked_files_count_as_none(@TempDir Path directory) throws IOException {
        assertThat(ErrorFile.read(directory.resolve("missing"))).isNull();
        Path large = directory.resolve("large");
        Files.writeString(large, "{\"message\": \"" + "x".repeat(1 << 20) + "\"}");
        assertThat(ErrorFile.read(large)).isNull();
        Path small = directory.resolve("small");
        Files.writeString(small, "{\"message\": \"m\"}");
        assertThat(ErrorFile.read(small)).isNotNull();
        assertThat(ErrorFile.read(Files.createSymbolicLink(directory.resolve("link"), small)))
                .isNull();
    }

    @Test
    void what_is_written_is_read_again(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("error.json");
        var error = new ErrorFile("a.b.SomeException: te\"xt\n", "output", "at x", "p");
        ErrorFileWriter.write(file, error, 73, 1, "host", Map.of(ErrorFile.RANK, 3L));
        assertThat(ErrorFile.read(file)).isEqualTo(error);
        assertThat(directory.toFile().list()).containsExactly("error.json");
    }

    @Test
    void the_type_is_cut_off_for_people() {
        assertThat(new ErrorFile("a.b.FaultException: no such: folder", "", "", "").text())
                .isEqualTo("no such: folder");
        assertThat(new ErrorFile("plain: text", "", "", "").text()).isEqualTo("plain: text");
    }

    @Test
    void a_cause_that_is_no_word_is_ignored() {
        assertThat(parse("{\"message\": \"m\", \"cause\": \"\\u001b[31mred\"}").cause())
                .isEmpty();
    }
}
