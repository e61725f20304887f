package jdiff.cli.generate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ProgressTest {
    @Test
    void the_launcher_says_how_wide_the_terminal_is() {
        assertThat(Progress.columns(Map.of("JDIFF_CONSOLE", "tty:97"))).isEqualTo(97);
        assertThat(Progress.columns(Map.of("JDIFF_CONSOLE", "plain"))).isZero();
        assertThat(Progress.columns(Map.of("JDIFF_CONSOLE", "tty:x"))).isZero();
    }

    @Test
    void a_dumb_terminal_gets_plain_lines() {
        assertThat(Progress.columns(Map.of("JDIFF_CONSOLE", "tty:97", "TERM", "dumb")))
                .isZero();
    }

    @Test
    void the_line_tells_pictures_seconds_per_picture_and_time_left() {
        assertThat(Progress.line(0, 0, 80, 4, 0, 100)).isEqualTo("  0% [------------------------] 0/4 pictures");
        assertThat(Progress.line(10, 20, 80, 4, 1, 100))
                .isEqualTo(" 25% [######------------------] 1/4 pictures, 10.0 s per picture, 0:30 left");
        assertThat(Progress.line(3600, 40, 80, 4, 2, 40))
                .isEqualTo(" 50% 2/4 pictures, 1800.0 s per picture, 1:00:00 left");
    }

    @Test
    void on_80_columns_the_whole_line_fits_behind_the_rank_of_a_worker() {
        String line = Progress.line(500, 3000, 8000, 400, 150, 80);
        assertThat(line).isEqualTo(" 37% [####--------] 150/400 pictures, 3.3 s per picture, 13:53 left");
        assertThat("[rank 0] ".length() + line.length()).isLessThan(80);
    }

    @Test
    void a_job_is_not_at_100_per_cent_before_its_last_picture_is_written() {
        assertThat(Progress.line(40, 80, 80, 4, 3, 40)).startsWith(" 99% 3/4 pictures");
        assertThat(Progress.line(40, 80, 80, 4, 4, 40)).startsWith("100% 4/4 pictures");
    }
}
