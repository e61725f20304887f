package jdiff.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class OptionWordsTest {
    @CommandLine.Command
    static final class Sample {
        @CommandLine.Option(names = {"-r", "--long-name"})
        String value;

        @CommandLine.Option(names = {"-cp", "--class-path"})
        String path;

        @CommandLine.Option(names = {"-v", "--verbose"})
        boolean[] verbose;

        @CommandLine.Option(names = "--flag")
        boolean flag;
    }

    private static final CommandSpec SPEC = CommandSpec.forAnnotatedObject(new Sample());

    private static List<String> words(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(" ", -1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--long-name x p|--long-name=x|p|false",
                "--long_name x|--long-name=x||false",
                "--long_name=a_b p --long_name|--long-name=a_b|p --long_name|false",
                "--long-name -x p|--long-name=-x|p|false",
                "--flag --verbose -vv p|--flag --verbose -v -v|p|false",
                "-r3 p|-r=3|p|false",
                "-r=3|-r=3||false",
                "-r 3|-r=3||false",
                "-vr3|-v -r=3||false",
                "-cp a:b p|-cp=a:b|p|false",
                "--flag -- -x --y|--flag|-x --y|true",
                "--flag -- --|--flag|--|true",
                "-- p|''|p|true",
                "p --flag|''|p --flag|false",
                "'- x'|''|'- x'|false"
            })
    void options_end_at_the_first_other_word(String line, String options, String rest, boolean delimited) {
        OptionWords read = OptionWords.leading(SPEC, words(line));
        assertThat(read.options()).isEqualTo(words(options));
        assertThat(read.rest()).isEqualTo(words(rest == null ? "" : rest));
        assertThat(read.delimited()).isEqualTo(delimited);
    }

    @Test
    void words_of_the_program_are_unchanged() {
        List<String> program = List.of("p", "", "a b", "@x", "'q'", "--long_name", "n\nl", "$local_rank");
        assertThat(OptionWords.leading(SPEC, program).rest()).isEqualTo(program);
    }

    @ParameterizedTest
    @CsvSource({"--nope", "--nope=3", "-x", "-vx", "--fla"})
    void unknown_options_are_named_and_nothing_is_abbreviated(String word) {
        assertThatThrownBy(() -> OptionWords.leading(SPEC, List.of(word)))
                .isInstanceOfSatisfying(
                        OptionWords.UnknownOption.class,
                        e -> assertThat(e.name()).isEqualTo(word.split("=", -1)[0]));
    }

    @Test
    void an_option_without_its_value_is_refused() {
        assertThatThrownBy(() -> OptionWords.leading(SPEC, List.of("--long-name")))
                .hasMessageContaining("--long-name needs a value");
        assertThatThrownBy(() -> OptionWords.leading(SPEC, List.of("-r"))).hasMessageContaining("-r needs a value");
    }

    @Test
    void names_are_normalised_between_other_words_too_but_values_are_not() {
        assertThat(OptionWords.normalise(
                        SPEC, List.of("a_b", "--long_name", "--x_y", "--other_option", "--", "--long_name")))
                .containsExactly("a_b", "--long-name=--x_y", "--other_option", "--", "--long_name");
    }
}
