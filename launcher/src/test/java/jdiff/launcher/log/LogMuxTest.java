package jdiff.launcher.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogMuxTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final AtomicLong clock = new AtomicLong();

    private LogRules rules(
            int worldSize, String redirects, String tee, Set<Integer> shown, Map<String, String> environment) {
        return new LogRules(
                worldSize,
                "default",
                Redirects.parse("-r", redirects),
                Redirects.parse("-t", tee),
                false,
                shown,
                false,
                environment,
                clock::get);
    }

    private void run(LogRules rules, Path directory, List<InputStream> stdouts, List<InputStream> stderrs)
            throws InterruptedException {
        var console = new ConsoleErr(err, false);
        var mux = new LogMux(rules, new ConsoleOut(out), console);
        for (int rank = 0; rank < stdouts.size(); rank++) {
            mux.attach(rank, rank, stdouts.get(rank), stderrs.get(rank), directory);
        }
        mux.drain(10_000);
        console.flush(10_000);
    }

    private static InputStream text(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Hands out its text in random pieces. */
    private static InputStream pieces(String text, long seed) {
        var random = new Random(seed);
        var whole = text(text);
        return new InputStream() {
            @Override
            public int read() throws IOException {
                return whole.read();
            }

            @Override
            public int read(byte[] buffer, int offset, int length) throws IOException {
                return whole.read(buffer, offset, Math.min(length, 1 + random.nextInt(30)));
            }
        };
    }

    @Test
    void lines_of_ranks_are_never_mixed_and_none_is_lost_whatever_the_chunks() throws InterruptedException {
        var random = new Random(11);
        List<InputStream> stdouts = new ArrayList<>();
        List<InputStream> stderrs = new ArrayList<>();
        Map<Integer, List<String>> written = new HashMap<>();
        for (int rank = 0; rank < 4; rank++) {
            List<String> lines = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                lines.add("r" + rank + " line " + i + " " + "x".repeat(random.nextInt(60)));
            }
            written.put(rank, lines);
            stdouts.add(pieces(String.join("\n", lines), rank)); // the last line has no end
            stderrs.add(pieces(String.join("\n", lines) + "\n", 100 + rank));
        }
        run(rules(4, "0", "0", null, Map.of()), null, stdouts, stderrs);
        String[] shown = out.toString(StandardCharsets.UTF_8).split("\n");
        String[] shownErr = err.toString(StandardCharsets.UTF_8).split("\n");
        for (int rank = 0; rank < 4; rank++) {
            String own = "r" + rank + " ";
            String prefix = "[rank " + rank + "] ";
            assertThat(shown).filteredOn(line -> line.startsWith(own)).containsExactlyElementsOf(written.get(rank));
            assertThat(shownErr)
                    .filteredOn(line -> line.startsWith(prefix))
                    .extracting(line -> line.substring(prefix.length()))
                    .containsExactlyElementsOf(written.get(rank));
        }
        assertThat(shown).hasSize(1600);
        assertThat(shownErr).hasSize(1600);
    }

    @Test
    void a_single_rank_has_no_prefix() throws InterruptedException {
        run(rules(1, "0", "0", null, Map.of()), null, List.of(text("o")), List.of(text("e")));
        assertThat(out).hasToString("o\n");
        assertThat(err).hasToString("e\n");
    }

    @Test
    void gloo_chatter_is_hidden() throws InterruptedException {
        run(
                rules(2, "0", "0", null, Map.of()),
                null,
                List.of(text("[Gloo] Rank 0 is connected\nresult\n"), text("")),
                List.of(text("[Gloo] x\n"), text("")));
        assertThat(out).hasToString("result\n");
        assertThat(err).hasToString("");
    }

    @Test
    void redirected_streams_go_to_files_teed_ones_to_both_with_torchruns_prefix(@TempDir Path directory)
            throws IOException, InterruptedException {
        run(rules(2, "0:2", "0:1", null, Map.of()), directory, List.of(text("o\n")), List.of(text("e\r\n")));
        assertThat(out).hasToString("[default0]:o\n");
        assertThat(err).hasToString("");
        assertThat(Files.readString(directory.resolve("stdout.log"))).isEqualTo("o\n");
        assertThat(Files.readString(directory.resolve("stderr.log"))).isEqualTo("e\r\n");
    }

    @Test
    void filtered_ranks_are_not_shown_but_their_last_lines_are_kept() throws InterruptedException {
        var console = new ConsoleErr(err, false);
        var mux = new LogMux(rules(2, "0", "0", Set.of(0), Map.of()), new ConsoleOut(out), console);
        mux.attach(1, 1, text("hidden\n"), text("1\n2\n"), null);
        mux.drain(10_000);
        console.flush(10_000);
        assertThat(out).hasToString("");
        assertThat(err).hasToString("");
        assertThat(mux.lastLines(1)).containsExactly("1", "2");
    }

    @Test
    void the_users_prefix_template_replaces_ours() throws InterruptedException {
        var environment = Map.of("TORCHELASTIC_LOG_LINE_PREFIX_TEMPLATE", "<${role_name}/${rank}/${local_rank}>");
        run(rules(2, "0", "0", null, environment), null, List.of(text("")), List.of(text("e\n")));
        assertThat(err).hasToString("<default/0/0>e\n");
    }

    @Test
    void off_a_terminal_one_progress_line_per_second_and_rank_is_kept() throws InterruptedException {
        clock.set(5_000_000_000L);
        run(rules(1, "0", "0", null, Map.of()), null, List.of(text("")), List.of(text("1%\r2%\r3%\rdone\n")));
        assertThat(err).hasToString("1%\ndone\n");
    }

    @Test
    void on_a_terminal_progress_stays_below_the_lines_of_others_and_is_replaced_by_its_end() {
        var console = new ConsoleErr(err, true);
        console.status("1%".getBytes(StandardCharsets.UTF_8));
        console.flush(10_000);
        console.print(1, "[rank 1] hello\n".getBytes(StandardCharsets.UTF_8));
        console.flush(10_000);
        assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("1%" + "\r\u001b[K" + "[rank 1] hello\n" + "1%");
    }

    @Test
    void on_a_terminal_results_are_not_written_behind_the_progress() {
        var console = new ConsoleErr(err, true);
        var results = new ConsoleOut(err, console);
        console.status("1%".getBytes(StandardCharsets.UTF_8));
        console.flush(10_000);
        results.write("out.png\n".getBytes(StandardCharsets.UTF_8));
        console.flush(10_000);
        assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("1%" + "\r\u001b[K" + "out.png\n" + "1%");
    }

    @Test
    void progress_that_is_wiped_out_with_spaces_leaves_nothing() throws InterruptedException {
        run(rules(2, "0", "0", null, Map.of()), null, List.of(text("")), List.of(text("1%\r  \rdone\n2%\r  \r")));
        assertThat(err).hasToString("[rank 0] 1%\n[rank 0] done\n");
    }

    @Test
    void it_is_known_whether_the_last_lines_are_those_of_one_source() {
        var console = new ConsoleErr(err, false);
        console.print(0, new byte[] {'a', '\n'});
        console.print(1, new byte[] {'b', '\n'});
        console.print(1, new byte[] {'c', '\n'});
        assertThat(console.trailing(1)).isEqualTo(2);
        assertThat(console.trailing(0)).isZero();
    }

    @Test
    void a_stopped_reader_of_stderr_costs_old_lines_not_memory_or_time() {
        OutputStream stopped = new OutputStream() {
            @Override
            public void write(int b) {
                while (true) {
                    LockSupport.park(this);
                }
            }
        };
        var console = new ConsoleErr(stopped, false);
        byte[] line = new byte[1000];
        for (int i = 0; i < 10_000; i++) {
            console.print(0, line); // 10 MB against a limit of 1 MiB
        }
        assertThat(console.queuedBytes(0)).isLessThanOrEqualTo(1 << 20);
    }

    @Test
    void a_closed_stdout_ends_printing_only() {
        var closed = new ConsoleOut(new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        });
        closed.write(new byte[] {'x', '\n'});
        closed.write(new byte[] {'y', '\n'});
    }
}
