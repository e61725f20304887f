package jdiff.launcher.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerFailureTest {
    private static final Texts TEXTS = new Texts(Map.of("HF_TOKEN", "hf_secret123", "PATH", "/usr/bin"));

    private static RankResult rank(int rank, int code, boolean stopped, int order, ErrorFile error, String word) {
        return new RankResult(rank, "host", 100 + rank, new ExitStatus(code), stopped, order, error, word);
    }

    private static List<String> report(RankResult root, List<RankResult> all, boolean verbose, String... tail) {
        return new WorkerFailure(root, all, List.of(tail), List.of()).lines(TEXTS, verbose);
    }

    @Test
    void the_first_failing_rank_is_the_headline_and_the_stopped_are_collateral() {
        var root = rank(1, 7, false, 0, null, "error");
        var lines = report(root, List.of(rank(0, 143, true, 1, null, "signal"), root), false, "boom");
        assertThat(lines)
                .containsExactly(
                        "jdiff: rank 1 failed on host, pid 101 (error, exit code 7)",
                        "jdiff: last lines of its stderr:",
                        "  boom",
                        "jdiff: rank 0 was stopped because of it (collateral)");
    }

    @Test
    void a_message_for_the_user_comes_first_as_one_paragraph_without_type_and_stack() {
        var error = new ErrorFile("x.FaultException: no model at /m\n  give a folder", "no-input", "at x.Y", "");
        var root = rank(0, 66, false, 0, error, "no-input");
        var lines = report(root, List.of(root), false, "noise");
        assertThat(lines)
                .containsExactly(
                        "jdiff: no model at /m give a folder",
                        "jdiff: rank 0 failed on host, pid 100 (no-input, exit code 66)");
        assertThat(report(root, List.of(root), true, "noise")).contains("  at x.Y");
    }

    @Test
    void the_same_message_of_several_ranks_is_shown_once() {
        var error = new ErrorFile("x.FaultException: disk full", "output", "", "");
        var ranks = List.of(
                rank(0, 73, false, 1, error, "output"),
                rank(1, 73, false, 0, error, "output"),
                rank(2, 73, false, 2, error, "output"));
        assertThat(report(ranks.get(1), ranks, false))
                .containsExactly("jdiff: disk full", "jdiff: ranks 0-2 failed on host (output, exit code 73)");
    }

    @Test
    void many_ranks_that_fail_in_the_same_way_are_one_line() {
        var ranks = List.of(
                rank(0, 1, false, 0, null, "error"),
                rank(3, 1, false, 1, null, "error"),
                rank(2, 7, false, 2, null, "error"),
                rank(1, 1, false, 3, null, "error"));
        assertThat(report(ranks.get(0), ranks, false))
                .containsExactly(
                        "jdiff: rank 0 failed on host, pid 100 (error, exit code 1)",
                        "jdiff: ranks 1, 3 also failed (error, exit code 1)",
                        "jdiff: rank 2 also failed (error, exit code 7)");
    }

    @Test
    void an_exhausted_java_heap_comes_with_advice() {
        var root = rank(1, 3, false, 0, null, "java-oom");
        assertThat(report(root, List.of(root), false)).anyMatch(line -> line.contains("--java-opts -Xmx"));
    }

    @Test
    void control_characters_are_escaped_and_secrets_are_replaced() {
        var error = new ErrorFile("red \u001b[31m hf_secret123", "io", "", "");
        var root = rank(0, 74, false, 0, error, "io");
        assertThat(report(root, List.of(root), false).get(0)).isEqualTo("jdiff: red \\u001b[31m ***");
    }

    @Test
    void the_root_cause_is_the_first_failure_that_is_neither_stopped_nor_a_lost_peer() {
        var lost = rank(0, 69, false, 0, null, "peer-lost");
        var crash = rank(1, 139, false, 1, null, "crash");
        var stopped = rank(2, 137, true, 2, null, "killed");
        assertThat(RootCause.of(List.of(lost, crash, stopped), false)).contains(crash);
        assertThat(RootCause.of(List.of(lost, stopped), false)).contains(lost);
        assertThat(RootCause.of(List.of(stopped), false)).isEmpty();
    }

    @Test
    void unfinished_and_partial_are_no_failures_of_a_verb_and_unfinished_wins() {
        var partial = rank(0, 79, false, 0, null, "partial");
        var unfinished = rank(1, 75, false, 1, null, "unfinished");
        assertThat(RootCause.of(List.of(partial, unfinished), true)).isEmpty();
        assertThat(RootCause.codeOfSuccess(List.of(partial, unfinished))).isEqualTo(75);
        assertThat(RootCause.codeOfSuccess(List.of(partial, rank(1, 0, false, 1, null, "ok"))))
                .isEqualTo(79);
        assertThat(RootCause.of(List.of(partial), false)).contains(partial);
    }

    @Test
    void exit_statuses_are_told_apart() {
        assertThat(new ExitStatus(7).describe()).isEqualTo("exit code 7");
        assertThat(new ExitStatus(139).describe()).isEqualTo("signal 11 (SEGV)");
        assertThat(new ExitStatus(255).signal()).isZero();
        assertThat(new ExitStatus(137).word(false, false)).isEqualTo("killed");
        assertThat(new ExitStatus(137).word(false, true)).isEqualTo("oom");
        assertThat(new ExitStatus(3).word(true, false)).isEqualTo("java-oom");
        assertThat(new ExitStatus(3).word(false, false)).isEqualTo("error");
    }

    @Test
    void ranks_are_listed_in_ranges() {
        assertThat(WorkerFailure.list(List.of(0, 1, 2, 5, 7, 8))).isEqualTo("0-2, 5, 7, 8");
    }

    @Test
    void the_summary_names_every_rank_and_appears_whole(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("summary.json");
        var job = new JobResult(
                "job",
                "id",
                7,
                "error",
                1,
                List.of(rank(0, 143, true, 1, null, "signal"), rank(1, 7, false, 0, null, "error")));
        Summary.write(file, job, TEXTS);
        assertThat(Files.readString(file))
                .contains("\"code\" : 7", "\"collateral\" : true", "\"rank\" : 1", "\"pid\" : 101");
        assertThat(directory.toFile().list()).containsExactly("summary.json");
    }
}
