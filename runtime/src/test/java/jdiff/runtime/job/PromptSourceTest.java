package jdiff.runtime.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.pipeline.GenerationRequest;
import jdiff.runtime.pipeline.OutputType;
import jdiff.runtime.pipeline.RequestOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PromptSourceTest {
    @TempDir
    private Path folder;

    @Test
    void lines_are_numbered_as_wc_counts_them_and_blank_ones_are_skipped() throws IOException {
        assertThat(text("a\n\n \t\nb\r\nc\u2028d\n\u00e9")).containsExactly("0:a", "3:b", "4:c\u2028d", "5:\u00e9");
    }

    @Test
    void only_a_line_feed_ends_a_line_and_only_one_carriage_return_before_it_is_removed() throws IOException {
        assertThat(text("a\rb\r\r\nc\r")).containsExactly("0:a\rb\r", "1:c\r");
    }

    @Test
    void a_byte_order_mark_is_skipped_at_the_start_of_the_file_only() throws IOException {
        assertThat(text("\ufeffa\n\ufeffb\n")).containsExactly("0:a", "1:\ufeffb");
    }

    @Test
    void an_at_sign_and_a_brace_in_a_text_file_are_text() throws IOException {
        assertThat(text("@file\n{\"prompt\": 1}\n")).containsExactly("0:@file", "1:{\"prompt\": 1}");
    }

    @Test
    void bad_lines_cost_themselves_only() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(utf8("good\n"));
        bytes.writeBytes(new byte[] {'x', (byte) 0xff, 'y', '\n'});
        bytes.writeBytes(new byte[] {(byte) 0xc0, (byte) 0x80, '\n'});
        bytes.writeBytes(new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80, '\n'});
        bytes.writeBytes(new byte[] {'a', 0, 'b', '\n'});
        bytes.writeBytes(utf8("x".repeat((64 << 10) + 1) + "\n"));
        bytes.writeBytes(utf8("y".repeat(64 << 10) + "\n"));
        bytes.writeBytes(utf8("z".repeat((1 << 20) + 1) + "\n"));
        bytes.writeBytes(utf8("last"));
        List<String> lines = read(PromptSource.file(write("prompts.txt", bytes.toByteArray())));
        assertThat(lines).hasSize(9);
        assertThat(lines.get(0)).isEqualTo("0:good");
        assertThat(lines.get(1)).startsWith("1!").contains("0xff", "position 2");
        assertThat(lines.get(2)).startsWith("2!").contains("not UTF-8");
        assertThat(lines.get(3)).startsWith("3!").contains("not UTF-8");
        assertThat(lines.get(4)).startsWith("4!").contains("NUL");
        assertThat(lines.get(5)).startsWith("5!").contains("65537", "64 KiB");
        assertThat(lines.get(6)).startsWith("6:yyy");
        assertThat(lines.get(7)).startsWith("7!").contains("1 MiB");
        assertThat(lines.get(8)).isEqualTo("8:last");
    }

    @Test
    void a_line_of_exactly_one_mebibyte_is_within_the_limit_whatever_surrounds_it() throws IOException {
        String longest = "{\"prompt\": \"a\"" + " ".repeat((1 << 20) - 15) + "}";
        assertThat(json("\ufeff" + longest + "\r\n" + longest + " \n"))
                .satisfiesExactly(
                        first -> assertThat(first).isEqualTo("0:a"),
                        second -> assertThat(second).contains("1 MiB"));
    }

    @Test
    void a_json_line_holds_a_prompt_and_any_option() throws IOException {
        PromptSource source = PromptSource.file(write(
                "p.jsonl",
                utf8("{\"seed\": 9223372036854775807, \"prompt\": \"\", \"height\": 64, \"true_cfg_scale\": 3,"
                        + " \"sigmas\": [1, 0.5], \"output_type\": \"latent\", \"negative_prompt\": null}\n")));
        try (PromptCursor cursor = source.open()) {
            PromptLine.Good line = (PromptLine.Good) cursor.next();
            assertThat(line.request())
                    .isEqualTo(GenerationRequest.of("")
                            .withSeed(Long.MAX_VALUE)
                            .with(RequestOption.HEIGHT, 64)
                            .withTrueCfgScale(3)
                            .with(RequestOption.SIGMAS, List.of(1.0, 0.5))
                            .with(RequestOption.OUTPUT_TYPE, OutputType.LATENT));
            assertThat(cursor.next()).isNull();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {"prompt": "a", "hight": 64}          | unknown field "hight"
                    {"prompt": "a", "height": "64"}       | height must be a whole number
                    {"prompt": "a", "height": 64.0}       | height must be a whole number
                    {"prompt": "a", "height": -64}        | from 1 to 16384
                    {"prompt": "a", "height": 1e99}       | height must be a whole number
                    {"prompt": "a", "seed": 9223372036854775808} | 2^63-1
                    {"prompt": "a", "seed": -1}           | seed must be
                    {"prompt": "a", "true_cfg_scale": "4"} | true_cfg_scale must be a number
                    {"prompt": "a", "true_cfg_scale": 1e999} | true_cfg_scale must be
                    {"prompt": "a", "true_cfg_scale": NaN} | column
                    {"prompt": "a", "sigmas": 1}          | sigmas must be a list of numbers
                    {"prompt": "a", "sigmas": []}         | at least one
                    {"prompt": "a", "sigmas": [1, "2"]}   | sigmas must be a list of numbers
                    {"prompt": "a", "output_type": "gif"} | png or latent
                    {"prompt": "a", "negative_prompt": 1} | negative_prompt must be a text
                    {"prompt": ["a"]}                     | prompt must be a text
                    {"prompt": null}                      | prompt must be a text
                    {"prompt": "a", "prompt": "b"}        | prompt
                    {"height": 64}                        | prompt is missing
                    {"prompt": "a"} {"prompt": "b"}       | end of the document
                    {"prompt": "a"                        | column
                    {"prompt": "a\\ud800"}                 | surrogate
                    {"prompt": "a", "negative_prompt": "\\udc00"} | surrogate
                    {"prompt": "a\\u0000"}                 | NUL
                    ["a"]                                 | wanted an object
                    a red circle                          | column
                    """)
    void a_broken_json_line_fails_with_its_reason(String line, String reason) throws IOException {
        assertThat(json("{\"prompt\": \"first\"}\n" + line + "\n{\"prompt\": \"last\"}"))
                .satisfiesExactly(
                        first -> assertThat(first).isEqualTo("0:first"),
                        broken -> assertThat(broken).startsWith("1!").contains(reason),
                        last -> assertThat(last).isEqualTo("2:last"));
    }

    @Test
    void a_pair_of_escaped_surrogates_is_a_character() throws IOException {
        assertThat(json("{\"prompt\": \"\\ud83d\\ude00\"}")).containsExactly("0:\ud83d\ude00");
    }

    @Test
    void standard_input_is_json_if_it_begins_with_a_brace() throws IOException {
        assertThat(read(PromptSource.standardInput(write("in", utf8("\ufeff{\"prompt\": \"a\"}\n")))))
                .containsExactly("0:a");
        assertThat(read(PromptSource.standardInput(write("in", utf8("a\n{\n")))))
                .containsExactly("0:a", "1:{");
        assertThat(read(PromptSource.standardInput(write("in", utf8(""))))).isEmpty();
    }

    @Test
    void an_empty_prompt_of_the_command_line_is_a_prompt() throws IOException {
        assertThat(read(PromptSource.of(List.of("", "@x", "a\u0000"))))
                .satisfiesExactly(
                        empty -> assertThat(empty).isEqualTo("0:"),
                        at -> assertThat(at).isEqualTo("1:@x"),
                        nul -> assertThat(nul).startsWith("2!"));
    }

    @Test
    void missing_files_and_folders_are_refused() {
        assertThatThrownBy(() -> PromptSource.file(folder.resolve("none.txt")))
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault()).isEqualTo(Fault.NO_INPUT))
                .hasMessageContaining("none.txt");
        assertThatThrownBy(() -> PromptSource.file(folder))
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault()).isEqualTo(Fault.BAD_INPUT))
                .hasMessageContaining("folder");
    }

    @Test
    void any_bytes_give_numbered_lines_and_no_exception() throws IOException {
        Random random = new Random(7);
        byte[] alphabet = utf8("{}[]\":,\\ud80prompt\n\r 0-\u00e9");
        for (int round = 0; round < 2000; round++) {
            byte[] bytes = new byte[random.nextInt(80)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = random.nextInt(8) == 0 ? (byte) random.nextInt() : alphabet[random.nextInt(alphabet.length)];
            }
            long lines = new String(bytes, StandardCharsets.ISO_8859_1)
                            .chars()
                            .filter(c -> c == '\n')
                            .count()
                    + 1;
            String name = round % 2 == 0 ? "fuzz.txt" : "fuzz.jsonl";
            List<String> read = read(PromptSource.file(write(name, bytes)));
            assertThat(read).as("round %d", round).hasSizeLessThanOrEqualTo((int) lines);
        }
    }

    private List<String> text(String text) throws IOException {
        return read(PromptSource.file(write("prompts.txt", utf8(text))));
    }

    private List<String> json(String text) throws IOException {
        return read(PromptSource.file(write("prompts.jsonl", utf8(text))));
    }

    /** {@code index:prompt} for a good line, {@code index!problem} for a bad one. */
    private static List<String> read(PromptSource source) throws IOException {
        List<String> lines = new ArrayList<>();
        try (PromptCursor cursor = source.open()) {
            for (PromptLine line = cursor.next(); line != null; line = cursor.next()) {
                lines.add(
                        line instanceof PromptLine.Good good
                                ? good.index() + ":" + good.request().prompt()
                                : line.index() + "!" + ((PromptLine.Bad) line).problem());
            }
        }
        return lines;
    }

    private Path write(String name, byte[] bytes) throws IOException {
        return Files.write(folder.resolve(name), bytes);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
