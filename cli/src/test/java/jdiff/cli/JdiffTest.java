package jdiff.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the root says, and what every level has. */
class JdiffTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... words) {
        return Jdiff.execute(
                List.of(words), Verbs.standard(), Map.of(), new PrintWriter(out, true), new PrintWriter(err, true));
    }

    @Test
    void the_roots_help_has_one_line_per_command() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString().lines())
                .anyMatch(line -> line.startsWith("  launch    Starts one worker"))
                .anyMatch(line -> line.startsWith("  generate  Makes pictures from prompts."))
                .anyMatch(line -> line.startsWith("  doctor    Says what"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"launch", "generate", "doctor", "inspect"})
    void help_and_version_exist_at_every_level(String command) {
        assertThat(run(command, "--help")).isZero();
        assertThat(out.toString()).startsWith("usage: jdiff " + command).contains("--version");
        out.getBuffer().setLength(0);
        assertThat(run("help", command)).isZero();
        assertThat(out.toString()).startsWith("usage: jdiff " + command);
        out.getBuffer().setLength(0);
        assertThat(run(command, "--version")).isZero();
        assertThat(out.toString()).startsWith("jdiff ").contains("JVM ");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void no_command_shows_the_help_as_an_error() {
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString()).startsWith("jdiff: no command given").contains("usage: jdiff", "  launch ");
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "generat             | there is no command 'generat'; did you mean generate?",
                "help nope           | there is no command 'nope'; there are launch, ",
                "--bogus             | unknown option --bogus",
                "generate --promt x  | unknown option --promt; did you mean --prompt?",
                "generate --widht=8  | unknown option --widht; did you mean --width?",
                "generate --bad      | unknown option --bad",
                "generate --prompt a red fox | 'red' belongs to no option; a value with spaces needs quotes around it",
                "doctor now          | 'now' belongs to no option",
            })
    void a_mistake_is_named_with_what_was_probably_meant(String line, String message) {
        assertThat(run(line.split(" ", -1))).isEqualTo(2);
        assertThat(err.toString()).startsWith("jdiff: " + message).contains("--help");
        assertThat(err.toString().lines()).hasSize(2);
    }

    @Test
    void nothing_is_suggested_for_a_word_unlike_any_other() {
        assertThat(Suggestion.of("--bad", List.of("--seed", "--model"))).isEmpty();
    }
}
