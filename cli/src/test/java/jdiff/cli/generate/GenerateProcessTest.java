package jdiff.cli.generate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import jdiff.cli.Jdiff;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command as users start it, with the demo model and workers of its own; small pictures, few steps. */
@Timeout(300)
class GenerateProcessTest {
    private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    private Path directory;

    private record Result(int code, List<String> out, List<String> err) {}

    private Result jdiff(List<String> words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Jdiff.class.getName()));
        command.addAll(words);
        var builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectInput(directory.resolve("in").toFile())
                .redirectOutput(directory.resolve("out").toFile())
                .redirectError(directory.resolve("err").toFile());
        // What a picture's bytes may depend on besides its request.
        builder.environment().put("OMP_NUM_THREADS", "1");
        builder.environment().put("JDIFF_HOME", HOME.toString());
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().remove("JDK_JAVA_OPTIONS");
        int code = builder.start().waitFor();
        return new Result(
                code, Files.readAllLines(directory.resolve("out")), Files.readAllLines(directory.resolve("err")));
    }

    private Result generate(String... words) throws IOException, InterruptedException {
        return jdiff(with(List.of("generate"), words));
    }

    private Result launch(int workers, String... words) throws IOException, InterruptedException {
        return jdiff(with(
                List.of("launch", "--device", "cpu", "--nproc-per-node", Integer.toString(workers), "generate"),
                words));
    }

    private static List<String> with(List<String> words, String... more) {
        List<String> all = new ArrayList<>(words);
        all.addAll(List.of(more));
        return all;
    }

    /** A small job of four prompts, followed by {@code more} words. */
    private static String[] job(String... more) {
        String words = "--prompts-file - --seed 5 --height 32 --width 48 --num-inference-steps 2";
        return with(List.of(words.split(" ")), more).toArray(String[]::new);
    }

    @BeforeEach
    void writePrompts() throws IOException {
        Files.write(directory.resolve("in"), List.of("a red circle", "a blue star", "", "two hearts", "a cross"));
    }

    /** Names of the visible files with their digests. */
    private Map<String, String> content(String folder) throws Exception {
        Map<String, String> content = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory.resolve(folder))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
                content.put(String.valueOf(file.getFileName()), HexFormat.of().formatHex(digest));
            }
        }
        return content;
    }

    @ParameterizedTest
    @CsvSource({"2, dynamic", "3, static", "6, dynamic"})
    void pictures_and_manifest_do_not_depend_on_workers_and_split(int workers, String split) throws Exception {
        Result alone = generate(job("--output-dir", "alone"));
        assertThat(alone.code()).as("%s", alone.err()).isZero();
        assertThat(alone.err()).isEmpty();
        Result shared = launch(workers, job("--output-dir", "shared", "--dp-split", split));
        assertThat(shared.code()).as("%s", shared.err()).isZero();
        assertThat(content("shared")).isEqualTo(content("alone")).hasSize(5);
        assertThat(shared.out()).hasSize(4).isSorted();
    }

    @Test
    void a_manifest_line_makes_the_same_picture_again_wherever_it_stands() throws Exception {
        assertThat(generate(job("--output-dir", "first")).code()).isZero();
        List<String> again = new ArrayList<>();
        for (String line : Files.readAllLines(directory.resolve("first/manifest.jsonl"))) {
            String prompt = line.replaceAll(".*(\"prompt\":\"[^\"]*\").*", "$1");
            String options = line.replaceAll(".*\"options\":\\{([^}]*)}.*", "$1");
            again.add(0, "{" + prompt + "," + options + "}"); // in the opposite order
        }
        Files.write(directory.resolve("again.jsonl"), again);
        Result second = generate("--prompts-file", "again.jsonl", "--output-dir", "second");
        assertThat(second.code()).as("%s", second.err()).isZero();
        assertThat(digests("second")).containsExactlyInAnyOrderElementsOf(digests("first"));
    }

    private List<String> digests(String folder) throws Exception {
        Map<String, String> content = content(folder);
        content.remove("manifest.jsonl");
        return List.copyOf(content.values());
    }

    @Test
    void all_ranks_warn_and_fail_with_one_voice() throws Exception {
        Result warned = launch(2, job("--output-dir", "warned", "--true-cfg-scale", "1"));
        assertThat(warned.err()).singleElement().asString().contains("the negative prompt is ignored");
        Path model = directory.resolve("model");
        Files.createDirectories(model);
        Files.writeString(
                model.resolve("model_index.json"),
                "{\"_class_name\": \"QwenImagePipeline\","
                        + " \"text_encoder\": [\"transformers\", \"Qwen2_5_VLForConditionalGeneration\"]}");
        Result failed = launch(2, "--model", "model", "--prompt", "a", "--seed", "1", "--output-dir", "failed");
        assertThat(failed.code()).isEqualTo(66);
        assertThat(String.join("\n", failed.err()))
                .containsOnlyOnce("text_encoder is missing")
                .doesNotContain("\tat ");
        assertThat(directory.resolve("failed")).doesNotExist();
    }
}
