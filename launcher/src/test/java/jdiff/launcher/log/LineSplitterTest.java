package jdiff.launcher.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LineSplitterTest {
    private static List<String> split(byte[] bytes, int chunk) {
        List<String> lines = new ArrayList<>();
        var splitter = new LineSplitter(new LineSplitter.Lines() {
            @Override
            public void line(byte[] line) {
                lines.add(new String(line, StandardCharsets.UTF_8) + "$");
            }

            @Override
            public void transientLine(byte[] line) {
                lines.add(new String(line, StandardCharsets.UTF_8) + "^");
            }
        });
        for (int i = 0; i < bytes.length; i += chunk) {
            int count = Math.min(chunk, bytes.length - i);
            byte[] part = new byte[count];
            System.arraycopy(bytes, i, part, 0, count);
            splitter.feed(part, count);
        }
        splitter.end();
        return lines;
    }

    private static byte[] bytes(String text) {
        return text.replace("\\n", "\n").replace("\\r", "\r").getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a\\nb\\n|[a$, b$]",
                "a\\n\\nb|[a$, $, b$]",
                "a\\r\\nb\\r\\n|[a$, b$]",
                "1%\\r2%\\r3%\\n|[1%^, 2%^, 3%$]",
                "1%\\r|[1%$]",
                "\\r1%\\r\\rx\\n|[^, 1%^, x$]",
                "''|[]",
                "rest|[rest$]"
            })
    void ends_of_lines_are_found_whatever_the_chunks(String text, String lines) {
        byte[] bytes = bytes(text);
        for (int chunk = 1; chunk <= bytes.length + 1; chunk++) {
            assertThat(split(bytes, chunk)).as("chunk %d", chunk).hasToString(lines);
        }
    }

    @Test
    void a_line_without_end_is_cut_at_one_mebibyte() {
        byte[] bytes = new byte[LineSplitter.MAX_LINE * 2 + 5];
        Arrays.fill(bytes, (byte) 'x');
        List<String> lines = split(bytes, 100_000);
        assertThat(lines)
                .extracting(String::length)
                .containsExactly(LineSplitter.MAX_LINE + 1, LineSplitter.MAX_LINE + 1, 6);
    }

    @Test
    void nothing_is_lost_in_random_chunks() {
        var random = new Random(3);
        for (int round = 0; round < 200; round++) {
            var text = new StringBuilder();
            for (int i = 0; i < 500; i++) {
                text.append("ab\n\r\n".charAt(random.nextInt(5)));
            }
            byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
            List<String> whole = split(bytes, bytes.length);
            assertThat(split(bytes, 1 + random.nextInt(40))).isEqualTo(whole);
            String visible = String.join("", whole).replaceAll("[$^]", "");
            assertThat(visible).isEqualTo(text.toString().replaceAll("[\r\n]", ""));
        }
    }
}
