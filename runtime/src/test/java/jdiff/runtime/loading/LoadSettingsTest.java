package jdiff.runtime.loading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LoadSettingsTest {
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "1, -, 8",
                "ON, -, 8",
                "yes, -, 8",
                "TRUE, 3, 3",
                "true, 256, 256",
                "-, 5, 5",
                "0, -, 1",
                "off, 5, 1",
                "No, -, 1",
                "FALSE, -, 1",
                "'', -, 1"
            })
    void the_variables_of_hugging_face_say_how_many_readers(String parallel, String workers, int readers) {
        assertThat(LoadSettings.of(environment(parallel, workers), null, null).readers())
                .isEqualTo(readers);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {"0, -, true, -, 8", "1, -, false, -, 1", "1, 4, -, 2, 2", "0, 4, true, -, 4", "0, -, -, 6, 1"})
    void options_win_over_variables(String parallel, String workers, Boolean option, Integer number, int readers) {
        assertThat(LoadSettings.of(environment(parallel, workers), option, number)
                        .readers())
                .isEqualTo(readers);
    }

    @Test
    void nothing_asked_means_four_readers_for_each_processor_at_most_eight() {
        int processors = Runtime.getRuntime().availableProcessors();
        assertThat(LoadSettings.automatic().readers()).isEqualTo(Math.min(8, 4 * processors));
        Map<String, String> underTorchrun = Map.of("LOCAL_WORLD_SIZE", Integer.toString(processors * 8));
        assertThat(LoadSettings.of(underTorchrun, null, null).readers()).isEqualTo(1);
        Map<String, String> underJdiff =
                Map.of("LOCAL_WORLD_SIZE", Integer.toString(processors * 8), "JDIFF_LAUNCH_ID", "x");
        assertThat(LoadSettings.of(underJdiff, null, null).readers())
                .describedAs("the launcher has told the JVM its share of the processors")
                .isEqualTo(Math.min(8, 4 * processors));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2", "maybe", "y", "оff"})
    void another_word_is_refused_by_name(String word) {
        assertThatThrownBy(() -> LoadSettings.of(environment(word, null), null, null))
                .hasMessageContaining("HF_ENABLE_PARALLEL_LOADING=" + word)
                .hasMessageContaining("1, ON, YES, TRUE")
                .hasMessageContaining("0, OFF, NO, FALSE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "257", "-1", "eight", "", "1e2", "99999999999"})
    void a_bad_number_is_refused_by_name(String number) {
        assertThatThrownBy(() -> LoadSettings.of(environment(null, number), null, null))
                .hasMessageContaining("HF_PARALLEL_LOADING_WORKERS=" + number)
                .hasMessageContaining("1 to 256");
    }

    private static Map<String, String> environment(String parallel, String workers) {
        Map<String, String> environment = new HashMap<>();
        if (parallel != null) {
            environment.put("HF_ENABLE_PARALLEL_LOADING", parallel);
        }
        if (workers != null) {
            environment.put("HF_PARALLEL_LOADING_WORKERS", workers);
        }
        return environment;
    }
}
