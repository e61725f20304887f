package jdiff.launcher.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedirectsTest {
    @Test
    void one_value_holds_for_all_ranks() {
        Redirects both = Redirects.parse("--tee", "3");
        assertThat(both.stdout(0) && both.stderr(0) && both.stdout(99) && both.stderr(99))
                .isTrue();
        assertThat(Redirects.parse("--tee", "0").isEmpty()).isTrue();
        assertThat(Redirects.parse("--tee", "1").stderr(4)).isFalse();
    }

    @Test
    void ranks_of_any_size_and_ranges_are_accepted() {
        Redirects some = Redirects.parse("--redirects", "0-3:1,10:3,2:2");
        assertThat(some.stdout(1)).isTrue();
        assertThat(some.stderr(1)).isFalse();
        assertThat(some.stdout(2)).as("the last entry counts").isFalse();
        assertThat(some.stderr(2)).isTrue();
        assertThat(some.stdout(10) && some.stderr(10)).isTrue();
        assertThat(some.stdout(4)).isFalse();
        assertThat(some.isEmpty()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "4", "x", "0:4", "0:", ":1", "0:1,", "1-0:1", "-1:1", "0:1;1:2", "a:1"})
    void malformed_texts_are_refused_with_option_and_text(String text) {
        assertThatThrownBy(() -> Redirects.parse("--tee", text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--tee '" + text + "'");
    }
}
