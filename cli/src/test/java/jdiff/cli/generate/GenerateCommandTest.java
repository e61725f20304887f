package jdiff.cli.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import jdiff.cli.OptionWords;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.job.DpSplit;
import jdiff.runtime.pipeline.OutputType;
import jdiff.runtime.pipeline.RequestOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class GenerateCommandTest {
    @TempDir
    private Path folder;

    private Map<String, String> environment;

    @BeforeEach
    void installDemoModel() throws IOException {
        Path demo = Files.createDirectories(folder.resolve("home/models/demo"));
        Files.writeString(demo.resolve("model_index.json"), "{\"_class_name\": \"QwenImagePipeline\"}");
        Files.createDirectories(demo.resolve("vae"));
        Files.writeString(demo.resolve("vae/config.json"), "{\"base_dim\": 16}");
        environment = Map.of("JDIFF_HOME", folder.resolve("home").toString());
    }

    @Test
    void every_request_option_is_an_option_with_a_dash_and_with_an_underscore() {
        for (RequestOption option : RequestOption.values()) {
            String name = "--" + option.key().replace('_', '-');
            assertThat(new CommandLine(new GenerateCommand()).getCommandSpec().findOption(name))
                    .as(name)
                    .isNotNull();
        }
        GenerateSpec spec = parse(
                "--true_cfg_scale",
                "3",
                "--negative-prompt=",
                "--sigmas",
                "1,0.5",
                "--output-type",
                "latent",
                "--seed=7",
                "--height",
                "64");
        assertThat(spec.options())
                .isEqualTo(Map.of(
                        RequestOption.TRUE_CFG_SCALE,
                        3.0,
                        RequestOption.NEGATIVE_PROMPT,
                        "",
                        RequestOption.SIGMAS,
                        List.of(1.0, 0.5),
                        RequestOption.OUTPUT_TYPE,
                        OutputType.LATENT,
                        RequestOption.HEIGHT,
                        64));
        assertThat(spec.seed()).isEqualTo(OptionalLong.of(7));
    }

    @Test
    void a_prompt_may_be_any_text() {
        assertThat(parse("--prompt", "@file", "--prompt", "--seed", "--prompt=", "--prompt", "a, \"b\" ${c} %n 'd'")
                        .prompts())
                .containsExactly("@file", "--seed", "", "a, \"b\" ${c} %n 'd'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--model", "--output-dir", "--prompts-file"})
    void an_empty_value_is_no_default(String option) {
        assertThatThrownBy(() -> parse(option, ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(option + " is empty");
    }

    @Test
    void sigmas_replace_the_steps_of_the_demo_model_but_not_those_of_the_user() throws IOException {
        GenerateSpec spec = parse("--sigmas", "1,0.5");
        assertThat(spec.settings(spec.folder(environment)).options())
                .doesNotContainKey(RequestOption.NUM_INFERENCE_STEPS);
        GenerateSpec both = parse("--sigmas", "1,0.5", "--num-inference-steps", "3");
        assertThatThrownBy(() -> both.settings(both.folder(environment)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("sigmas has 2 values");
    }

    @Test
    void without_a_model_the_demo_model_has_prompts_and_options_of_its_own() throws IOException {
        GenerateSpec spec = parse("--num-inference-steps", "2");
        assertThat(spec.settings(spec.folder(environment)).options())
                .containsEntry(RequestOption.HEIGHT, 128)
                .containsEntry(RequestOption.NEGATIVE_PROMPT, " ")
                .containsEntry(RequestOption.NUM_INFERENCE_STEPS, 2);
        assertThat(spec.split()).isEqualTo(DpSplit.DYNAMIC);
        command().check();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --height -5                       | from 1 to 16384
                    --height 16385                    | from 1 to 16384
                    --height x                        | an integer
                    --num-inference-steps 0           | from 1 to 10000
                    --num-images-per-prompt 1025      | from 1 to 1024
                    --true-cfg-scale NaN              | a number
                    --seed -1                         | from 0 to 2^63-1
                    --output-type gif                 | png or latent
                    --sigmas 1,,0                     | a number
                    --dp-split half                   | dynamic or static
                    --height                          | needs a value
                    --hieght 5                        | --hieght
                    """)
    void a_bad_value_is_refused_by_name(String words, String message) {
        assertThatThrownBy(() -> parse(words.strip().split(" +")))
                .isInstanceOfAny(CommandLine.ParameterException.class, IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --prompt a --prompts-file b       | exclude each other
                    --model m                         | no prompt
                    --dtype int8                      | int8
                    --dtype float32,vae               | vae=float32
                    --name-template a/b               | {index}
                    --device-map blanced              | device map "blanced" is not supported; use cuda, cpu, cuda:N
                    --device-map disk                 | disk placement is not supported
                    --max-memory 0=20G                | max memory "0=20G"
                    --height 8                        | at least 16 pixels
                    """)
    void options_that_make_no_sense_are_refused_before_anything_starts(String words, String message) {
        assertThatThrownBy(() -> command(words.strip().split(" +")).check())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({"none.txt,NO_INPUT", "empty.txt,BAD_INPUT", "bad.jsonl,BAD_INPUT", "good.txt,"})
    void a_prompt_file_without_a_usable_prompt_is_refused_before_anything_starts(String name, Fault fault)
            throws IOException {
        Files.writeString(folder.resolve("empty.txt"), "\n\n");
        Files.writeString(folder.resolve("bad.jsonl"), "{\"prompt\": \"a\", \"width\": 8}\n");
        Files.writeString(folder.resolve("good.txt"), "\na\n");
        GenerateCommand command = command("--prompts-file", folder.resolve(name).toString());
        if (fault == null) {
            command.check();
        } else {
            assertThatThrownBy(command::check)
                    .isInstanceOfSatisfying(
                            FaultException.class, e -> assertThat(e.fault()).isEqualTo(fault))
                    .hasMessageContaining(name);
        }
    }

    @Test
    void a_folder_of_an_unknown_family_and_a_missing_one_are_refused() throws IOException {
        Files.writeString(folder.resolve("model_index.json"), "{\"_class_name\": \"OtherPipeline\"}");
        assertThatThrownBy(() ->
                        command("--prompt", "a", "--model", folder.toString()).check())
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("OtherPipeline")
                .hasMessageContaining("QwenImagePipeline");
        assertThatThrownBy(() -> command(
                                "--prompt", "a", "--model", folder.resolve("x").toString())
                        .check())
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("no such folder");
    }

    @Test
    void prompts_on_standard_input_are_copied_for_the_workers() throws IOException {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream("{\"prompt\": \"a\"}\n".getBytes(StandardCharsets.UTF_8)));
        try {
            GenerateCommand command = command("--prompts-file", "-");
            command.check();
            String word = command.workerWords().get(0);
            String file = word.substring(word.indexOf('=') + 1);
            assertThat(command("--prompts-file", "-", word).toSpec().standardInputCopy())
                    .isEqualTo(file);
            assertThat(Path.of(file)).hasContent("{\"prompt\": \"a\"}\n");
            assertThat(Files.getPosixFilePermissions(Path.of(file)))
                    .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
            try (StandardInput input = StandardInput.open(file, Map.of(), InputStream.nullInputStream())) {
                assertThat(input.copy()).hasToString(file);
            }
            assertThat(Path.of(file)).exists();
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void a_dry_run_names_every_file_and_writes_nothing() throws IOException {
        Path out = folder.resolve("out");
        List<String> lines = run("--dry-run", "--seed", "5", "--prompt", "a\u001b[31m", "--output-dir", out.toString());
        assertThat(lines).anyMatch(line -> line.startsWith("seed") && line.endsWith("5"));
        assertThat(lines).anyMatch(line -> line.startsWith("memory"));
        assertThat(lines.get(lines.size() - 1)).matches("000000-[0-9a-f]{8}\\.png {2}128 x 128 {2}a\\\\u001b\\[31m");
        assertThat(out).doesNotExist();
    }

    @Test
    void a_dry_run_shows_where_everything_would_go_on_devices_that_need_not_be_there() throws IOException {
        List<String> lines = run(
                "--dry-run",
                "--prompt",
                "a",
                "--device-map",
                "balanced",
                "--max-memory",
                "0=12MB,1=9MB",
                "--free-text-encoder");
        assertThat(lines)
                .filteredOn(line -> line.startsWith("placement"))
                .containsExactly(
                        "placement text_encoder: cuda:1, 1 MB, most room, 4 MB",
                        "placement transformer without its blocks: cuda:0, 463 kB, cut: no device has room for all 15 MB",
                        "placement transformer transformer_blocks.0-3: cuda:0, 10 MB, cut: no device has room for all 15 MB",
                        "placement transformer transformer_blocks.4-5: cuda:1, 5 MB, cut: no device has room for all 15 MB",
                        "placement vae: cpu, 6 MB, no device has room");
        assertThat(lines).anyMatch(line -> line.startsWith("warning   no device has room for the 6 MB of vae"));
        assertThat(run("--dry-run", "--prompt", "a", "--max-memory", "cpu=10MB"))
                .anyMatch(line ->
                        line.startsWith("refused   needs 22 MB, has 10 MB on cpu by --max-memory; what helps:"));
    }

    @Test
    void the_map_says_for_which_device_a_rank_joins_its_job() {
        assertThat(parse("--device-map", "cpu").placement().environment(Map.of("JDIFF_DEVICE", "cuda")))
                .containsEntry("JDIFF_DEVICE", "cpu");
        assertThat(parse("--device-map", "cuda").placement().environment(Map.of()))
                .containsEntry("JDIFF_DEVICE", "cuda");
        assertThat(parse("--device-map", "balanced").placement().environment(Map.of("JDIFF_DEVICE", "cpu")))
                .containsEntry("JDIFF_DEVICE", "cpu");
        assertThat(parse().placement().environment(Map.of())).isEmpty();
        for (String map : List.of("cuda", "cuda:0", "{\"vae\": 0, \"\": \"cpu\"}")) {
            assertThatThrownBy(() -> parse("--device-map", map).placement().environment(Map.of("JDIFF_DEVICE", "cpu")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("contradicts --device cpu");
        }
    }

    @Test
    void the_help_shows_options_in_groups_with_their_defaults() {
        String help = new CommandLine(new GenerateCommand()).getUsageMessage();
        assertThat(help.lines().filter(line -> line.matches("[a-z]+:")).toList())
                .containsExactly("prompts:", "model:", "weights:", "devices:", "pictures:", "files:", "job:");
        assertThat(help).contains("jdiff-out", "(default: auto;", "dynamic", "Exit codes:");
        assertThat(help.lines()).allMatch(line -> line.length() <= 100);
    }

    private GenerateSpec parse(String... words) {
        return command(words).toSpec();
    }

    private GenerateCommand command(String... words) {
        var command = new GenerateCommand(environment);
        CommandLine line = commandLine(command);
        line.parseArgs(normal(line, words));
        return command;
    }

    /** With the demo model itself: plans are made of real headers. */
    private List<String> run(String... words) {
        var command = new GenerateCommand(Map.of("JDIFF_HOME", ".."));
        var out = new StringWriter();
        CommandLine line = commandLine(command).setOut(new PrintWriter(out));
        assertThat(line.execute(normal(line, words))).isZero();
        return new ArrayList<>(out.toString().lines().toList());
    }

    private static CommandLine commandLine(GenerateCommand command) {
        return new CommandLine(command).setExpandAtFiles(false);
    }

    /** As {@code main} does. */
    private static String[] normal(CommandLine line, String... words) {
        return OptionWords.normalise(line.getCommandSpec(), List.of(words)).toArray(String[]::new);
    }
}
