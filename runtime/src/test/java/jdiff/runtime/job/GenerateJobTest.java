package jdiff.runtime.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import jdiff.runtime.config.Digests;
import jdiff.runtime.distributed.ThreadRanks;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GenerateJobTest {
    private static final JobSettings SETTINGS = Jobs.settings(OptionalLong.of(42));

    @TempDir
    private Path folder;

    private Path model;
    private final List<String> printed = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final AtomicInteger asked = new AtomicInteger();

    @BeforeEach
    void makeModel() throws IOException {
        model = Files.createDirectory(folder.resolve("model"));
        Files.writeString(model.resolve("model_index.json"), "{}");
    }

    @ParameterizedTest
    @EnumSource(DpSplit.class)
    void any_number_of_ranks_makes_every_prompt_once_with_the_same_bytes(DpSplit split) throws IOException {
        for (int prompts = 1; prompts <= 9; prompts++) {
            PromptSource source = PromptSource.of(
                    IntStream.range(0, prompts).mapToObj(i -> "prompt " + i).toList());
            Path alone = folder.resolve(split + "-" + prompts);
            run(source, SETTINGS, alone, DpSplit.DYNAMIC, 1);
            for (int ranks = 1; ranks <= 4; ranks++) {
                asked.set(0);
                Path shared = folder.resolve(split + "-" + prompts + "-" + ranks);
                JobOutcome outcome = run(source, SETTINGS, shared, split, ranks);
                assertThat(outcome).isEqualTo(new JobOutcome(prompts, 0, 0));
                assertThat(asked).hasValue(prompts);
                assertThat(content(shared)).isEqualTo(content(alone)).hasSize(prompts + 1);
                assertThat(printed).hasSize(prompts).isSorted();
            }
        }
    }

    @Test
    void the_manifest_tells_of_every_prompt_in_order() throws IOException {
        PromptSource source = PromptSource.of(List.of("a", "bad one", "c\u0000", "d"));
        JobOutcome outcome = run(source, SETTINGS, folder.resolve("out"), DpSplit.DYNAMIC, 2);
        assertThat(outcome.fault()).isEqualTo(Fault.PARTIAL);
        assertThat(outcome).isEqualTo(new JobOutcome(2, 2, 0));
        List<String> lines = Files.readAllLines(folder.resolve("out").resolve(Manifest.FILE));
        assertThat(lines).hasSize(4);
        List<PromptResult> results = new ArrayList<>();
        for (String line : lines) {
            results.add(Manifest.parse("line", line));
        }
        assertThat(results).extracting(PromptResult::index).containsExactly(0, 1, 2, 3);
        assertThat(results).extracting(PromptResult::isDone).containsExactly(true, false, false, true);
        assertThat(results.get(1).cause()).isEqualTo("prompt 2: a bad prompt\\u001b[31m");
        assertThat(results.get(2).cause()).startsWith("prompt 3: ").contains("NUL");
        assertThat(failures)
                .containsExactly(results.get(1).cause(), results.get(2).cause());
        ResultFile file = results.get(3).files().get(0);
        Path made = folder.resolve("out").resolve(file.name());
        assertThat(file.seed()).isEqualTo(45);
        assertThat(file.bytes()).isEqualTo(Files.size(made));
        assertThat(file.sha256()).isEqualTo(Digests.sha256(made));
        assertThat(String.join("", lines)).doesNotContain(folder.toString());
    }

    @Test
    void the_prompt_stands_in_the_picture_only_if_asked_for() throws IOException {
        PromptSource source = PromptSource.of(List.of("secret words"));
        run(source, SETTINGS, folder.resolve("without"), DpSplit.DYNAMIC, 1);
        JobSettings embedding =
                new JobSettings("m", Jobs.FAMILY, "auto", Map.of(), OptionalLong.of(42), OutputNames.of("x"), true);
        run(source, embedding, folder.resolve("with"), DpSplit.DYNAMIC, 1);
        assertThat(text(folder.resolve("without"))).contains("\"seed\":42").doesNotContain("secret words");
        assertThat(text(folder.resolve("with"))).contains("secret words");
    }

    @Test
    void no_usable_prompt_is_refused_before_the_model_is_loaded() {
        assertFault(Fault.BAD_INPUT, () -> run(PromptSource.of(List.of()), SETTINGS, folder.resolve("o"), 1));
        assertFault(Fault.BAD_INPUT, () -> run(PromptSource.of(List.of("\u0000")), SETTINGS, folder.resolve("o"), 1));
        assertThat(folder.resolve("o")).doesNotExist();
    }

    @Test
    void a_folder_that_cannot_be_written_is_refused_before_the_model_is_loaded() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        PromptSource source = PromptSource.of(List.of("a"));
        assertFault(Fault.OUTPUT, () -> run(source, SETTINGS, file, 1));
        assertFault(Fault.OUTPUT, () -> run(source, SETTINGS, file.resolve("below"), 1));
        assertFault(Fault.OUTPUT, () -> run(source, SETTINGS, Path.of("/proc/jdiff-out"), 1));
        assertThat(asked).hasValue(0);
    }

    @Test
    void files_of_others_and_other_jobs_are_never_replaced() throws IOException {
        Path out = Files.createDirectory(folder.resolve("out"));
        PromptSource source = PromptSource.of(List.of("a"));
        JobSettings named =
                new JobSettings("m", Jobs.FAMILY, "auto", Map.of(), OptionalLong.of(42), OutputNames.of("x"), false);
        Files.writeString(out.resolve("x.png"), "mine");
        assertFault(Fault.OUTPUT, () -> run(source, named, out, 1));
        assertThat(out.resolve("x.png")).hasContent("mine");
        Files.delete(out.resolve("x.png"));
        Files.writeString(out.resolve(Manifest.FILE), "mine too");
        assertFault(Fault.OUTPUT, () -> run(source, named, out, 1));
        assertThat(out.resolve(Manifest.FILE)).hasContent("mine too");
        Files.delete(out.resolve(Manifest.FILE));
        run(source, named, out, 1);
        run(source, named, out, 1);
        assertFault(Fault.CONFIG, () -> run(PromptSource.of(List.of("b")), named, out, 1));
        assertFault(Fault.CONFIG, () -> run(source, Jobs.settings(OptionalLong.of(42)), out, 1));
    }

    @Test
    void the_same_command_makes_the_same_files_again_with_the_seed_it_had_drawn() throws IOException {
        PromptSource source = PromptSource.of(List.of("a", "b"));
        JobSettings drawn = Jobs.settings(OptionalLong.empty());
        run(source, drawn, null, 1);
        Map<String, String> first = content(folder.resolve("jdiff-out"));
        run(source, drawn, null, 2);
        assertThat(content(folder.resolve("jdiff-out"))).isEqualTo(first);
        run(PromptSource.of(List.of("a")), drawn, null, 1);
        run(PromptSource.of(List.of("a")), drawn, null, 1);
        assertThat(content(folder.resolve("jdiff-out-2"))).hasSize(2);
        assertThat(folder.resolve("jdiff-out-3")).doesNotExist();
    }

    @Test
    void a_job_that_fails_before_it_made_anything_leaves_nothing_behind() throws IOException {
        Path existing = Files.createDirectory(folder.resolve("existing"));
        for (Path out : List.of(folder.resolve("new"), existing)) {
            failToLoad(out);
        }
        assertThat(folder.resolve("new")).doesNotExist();
        assertThat(existing).isEmptyDirectory();
        Path mine = Files.writeString(existing.resolve("mine.txt"), "mine");
        failToLoad(existing);
        assertThat(existing).isDirectoryContaining(mine::equals);
        assertThat(existing.resolve(OutputFolder.META)).doesNotExist();
        PromptSource source = PromptSource.of(List.of("a"));
        run(source, SETTINGS, existing, 1);
        failToLoad(existing);
        run(source, SETTINGS, existing, 1);
        failToLoad(null);
        assertThat(folder.resolve("jdiff-out")).doesNotExist();
    }

    private void failToLoad(@Nullable Path out) {
        PromptSource source = PromptSource.of(List.of("a"));
        assertFault(
                Fault.NO_INPUT,
                () -> new GenerateJob(
                                ThreadRanks.run(1, world -> world).get(0),
                                SETTINGS,
                                source,
                                DpSplit.DYNAMIC,
                                Trace.of(Map.of(), 0))
                        .run(
                                planner(source, SETTINGS, out),
                                meter -> {
                                    throw new FaultException(Fault.NO_INPUT, "no weights");
                                },
                                JobListener.NONE,
                                () -> false));
    }

    @Test
    void a_trace_tells_when_each_rank_did_what() throws IOException {
        Path file = folder.resolve("trace");
        Trace.of(Map.of("JDIFF_TRACE", file.toString()), 3).event("loaded");
        Trace.of(Map.of(), 3).event("loaded");
        assertThat(Files.readString(file)).matches("loaded [0-9]{19} rank=3\n");
    }

    @Test
    void two_pictures_of_one_name_are_refused() {
        JobSettings same = new JobSettings(
                "m", Jobs.FAMILY, "auto", Map.of(), OptionalLong.of(1), OutputNames.of("{slug}"), false);
        assertThatThrownBy(() -> run(PromptSource.of(List.of("A b", "a-b")), same, folder.resolve("out"), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a-b.png")
                .hasMessageContaining("prompt 1")
                .hasMessageContaining("prompt 2");
    }

    @Test
    void a_job_that_is_asked_to_stop_tells_what_is_left() throws IOException {
        PromptSource source = PromptSource.of(List.of("a", "b", "c", "d", "e"));
        List<JobOutcome> outcomes = ThreadRanks.run(2, world -> {
            try {
                return new GenerateJob(world, SETTINGS, source, DpSplit.STATIC, Trace.of(Map.of(), 0))
                        .run(
                                planner(source, SETTINGS, folder.resolve("out")),
                                meter -> new FakePipeline(asked),
                                JobListener.NONE,
                                () -> world.rank() == 1);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        assertThat(outcomes).containsExactly(new JobOutcome(3, 0, 2), new JobOutcome(0, 0, 0));
        assertThat(outcomes.get(0).fault()).isEqualTo(Fault.UNFINISHED);
    }

    @Test
    void a_lost_output_folder_ends_the_job() {
        PromptSource source = PromptSource.of(List.of("a", "b"));
        Path out = folder.resolve("out");
        assertThatThrownBy(() -> new GenerateJob(
                                ThreadRanks.run(1, world -> world).get(0),
                                SETTINGS,
                                source,
                                DpSplit.DYNAMIC,
                                Trace.of(Map.of(), 0))
                        .run(
                                planner(source, SETTINGS, out),
                                meter -> {
                                    Files.move(out, folder.resolve("elsewhere"));
                                    return new FakePipeline(asked);
                                },
                                JobListener.NONE,
                                () -> false))
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault()).isEqualTo(Fault.OUTPUT));
    }

    @Test
    void weights_that_cannot_be_read_again_end_the_job() {
        assertFault(Fault.IO, () -> run(PromptSource.of(List.of("gone", "a")), SETTINGS, folder.resolve("out"), 1));
        assertThat(asked).hasValue(1);
    }

    private void run(PromptSource source, JobSettings settings, @Nullable Path out, int ranks) throws IOException {
        run(source, settings, out, DpSplit.DYNAMIC, ranks);
    }

    /** Runs the ranks as threads; returns the outcome of rank 0. */
    private JobOutcome run(PromptSource source, JobSettings settings, @Nullable Path out, DpSplit split, int ranks)
            throws IOException {
        printed.clear();
        failures.clear();
        JobListener listener = new JobListener() {
            @Override
            public void finished(Path file) {
                printed.add(file.toString());
            }

            @Override
            public void failed(String cause) {
                failures.add(cause);
            }
        };
        try {
            List<JobOutcome> outcomes = ThreadRanks.run(ranks, world -> {
                try {
                    return new GenerateJob(world, settings, source, split, Trace.of(Map.of(), world.rank()))
                            .run(
                                    planner(source, settings, out),
                                    meter -> new FakePipeline(asked),
                                    listener,
                                    () -> false);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            return outcomes.get(0);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private JobPlanner planner(PromptSource source, JobSettings settings, @Nullable Path out) {
        return new JobPlanner(settings, source, model, out, folder, false);
    }

    private static void assertFault(Fault fault, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault()).isEqualTo(fault));
    }

    /** Names of the visible files with their digests. */
    private static Map<String, String> content(Path out) throws IOException {
        Map<String, String> content = new TreeMap<>();
        try (Stream<Path> files = Files.list(out)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                content.put(file.getFileName().toString(), Digests.sha256(file));
            }
        }
        return content;
    }

    private static String text(Path out) throws IOException {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.list(out)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".png")).toList()) {
                text.append(Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        return text.toString();
    }
}
