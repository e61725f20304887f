package jdiff.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdiff.cli.RankVerb;
import jdiff.cli.TestVerbs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The command line up to the plan; nothing is started. */
class LaunchCommandTest {
    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final Map<String, String> environment = new HashMap<>();
    private String error = "";

    /** Stands for a verb that runs on ranks. */
    @CommandLine.Command(name = "generate")
    static final class Generate implements RankVerb {
        @CommandLine.Option(names = "--steps")
        int steps = 1;

        @CommandLine.Option(names = "--num-images")
        int images = 1;

        @CommandLine.Option(
                names = {"-h", "--help"},
                usageHelp = true)
        boolean help;

        @Override
        public void check() {
            if (steps < 1) {
                throw new IllegalArgumentException("--steps must be at least 1, found " + steps);
            }
        }

        @Override
        public Integer call() {
            throw new IllegalStateException("the launcher must not run a verb");
        }
    }

    /** Stands for a verb that does not. */
    @CommandLine.Command(name = "inspect")
    static final class Inspect {}

    private int run(String... words) {
        var err = new StringWriter();
        List<String> line = new ArrayList<>(List.of("--dry-run"));
        line.addAll(List.of(words));
        var verbs = TestVerbs.of(Map.of("generate", Generate::new, "inspect", Inspect::new));
        int code = TestVerbs.launch(line, verbs, environment, new PrintWriter(out, true), new PrintWriter(err, true));
        error = err.toString();
        return code;
    }

    private void assertUsage(String part, String... words) {
        assertThat(run(words)).isEqualTo(2);
        assertThat(error).startsWith("jdiff: ").contains(part).doesNotContain("\tat ");
        assertThat(error.lines()).as(error).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void no_program_means_generate() {
        assertThat(run("--nproc-per-node", "2")).as(error).isZero();
        assertThat(out.toString()).contains("WorkerMain verb generate", "rank 1:");
        assertThat(run("--", "--steps", "3")).as(error).isZero();
        assertThat(out.toString()).contains("verb generate --steps 3");
    }

    @Test
    void arguments_of_a_verb_are_checked_before_anything_starts() {
        assertUsage("--steps must be at least 1, found 0", "generate", "--steps", "0");
        assertUsage("generate: ", "generate", "--nope");
        assertThat(run("generate", "--num_images", "2")).as(error).isZero();
    }

    @Test
    void the_verbs_own_help_is_shown() {
        assertThat(run("generate", "--help")).isZero();
        assertThat(out.toString()).contains("--steps");
    }

    @Test
    void a_verb_that_does_not_run_on_ranks_is_refused_with_advice() {
        assertUsage("run it alone: jdiff inspect", "inspect");
    }

    @Test
    void every_value_is_shown_with_its_source_by_precedence() {
        environment.put("PET_NPROC_PER_NODE", "2");
        environment.put("PET_RDZV_ID", "pet");
        environment.put("JDIFF_RDZV_ID", "own");
        assertThat(run("--role", "r", "--no-java", "x")).as(error).isZero();
        assertThat(out.toString().lines().map(line -> line.strip().replaceAll(" +", " ")))
                .contains(
                        "program x (command line)",
                        "nproc-per-node 2 (PET_NPROC_PER_NODE)",
                        "rdzv-id own (JDIFF_RDZV_ID)",
                        "role r (command line)",
                        "shutdown-timeout 25 (default)",
                        "env TORCHELASTIC_RUN_ID=own");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--nproc-per-node 0|at least 1, auto, cpu or gpu, found '0'",
                "--nproc-per-node x|found 'x'",
                "--nproc-per-node gpu|no GPU is visible",
                "--device cuda|no GPU is visible",
                "--device tpu|auto or cuda or cpu",
                "--nnodes 2:1|runs backwards",
                "--nnodes 2|several nodes are not supported yet",
                "--nnodes x|--nnodes must be a whole number",
                "--node-rank 1|only node rank is 0",
                "--standalone --nnodes 2|--standalone means one node",
                "--standalone --rdzv-id x|--standalone takes a random job id",
                "--master-port 99999|--master-port must be a whole number",
                "--max-restarts 1|not supported yet",
                "--shutdown-timeout soon|--shutdown-timeout must be a number of seconds",
                "--exit-code maybe|cause or flat",
                "-t 7|--tee '7'",
                "--local-ranks-filter a|--local-ranks-filter 'a'",
                "--nproc-per-nod 2|did you mean --nproc-per-node",
                "--steps 3|put `generate` before it",
                "--rdzv-backend c10d|not supported yet",
                "--rdzv_endpoint h:1|--master-port",
                "-m pkg|--no-java python -m",
                "--run-path x|--no-java python -m",
                "--numa-binding node|not supported yet",
                "--role|needs a value"
            })
    void a_bad_value_is_a_line_and_exit_2(String options, String message) {
        environment.put("CUDA_VISIBLE_DEVICES", "");
        assertUsage(message, options.split(" ", -1));
    }

    @Test
    void a_bad_boolean_in_the_environment_is_a_line_and_exit_2() {
        environment.put("PET_STANDALONE", "maybe");
        assertUsage("PET_STANDALONE=maybe", "--no-java", "x");
        environment.clear();
        environment.put("JDIFF_NPROC_PER_NODE", "zero");
        assertUsage("(set by JDIFF_NPROC_PER_NODE)", "--no-java", "x");
    }

    @Test
    void more_workers_than_gpus_are_refused_with_both_numbers() {
        environment.put("CUDA_VISIBLE_DEVICES", "GPU-a");
        assertUsage("2 workers need 2 GPUs, 1 is visible", "--nproc-per-node", "2", "--no-java", "x");
        assertThat(run("--nproc-per-node", "2", "--allow-oversubscribe", "--no-java", "x"))
                .as(error)
                .isZero();
        assertThat(run("--nproc-per-node", "2", "--device", "cpu", "--no-java", "x"))
                .as(error)
                .isZero();
        assertThat(run("--nproc-per-node", "auto", "--no-java", "x")).as(error).isZero();
        assertThat(out.toString()).contains("cuda:0 (GPU-a)");
    }

    @Test
    void a_program_is_recognised_by_what_it_is() throws IOException {
        Path java = Files.writeString(directory.resolve("Hello.java"), "class Hello {}");
        Path other = Files.createFile(directory.resolve("data.bin"));
        assertThat(run(java.toString(), "a b", "--nproc_per_node")).as(error).isZero();
        assertThat(out.toString()).contains("WorkerMain class '<main class>' 'a b' --nproc_per_node");
        assertThat(run("-cp", "/my.jar", "my.Main")).as(error).isZero();
        assertThat(out.toString()).contains("-cp /my.jar:", "WorkerMain class my.Main");
        assertUsage("--no-java " + other, other.toString());
        assertUsage("--no-java python x.py", "x.py");
        assertUsage("there is no file 'No.java'", "No.java");
        assertUsage("a verb (generate)", "my.Main");
        assertUsage(
                "is not a jar",
                Files.writeString(directory.resolve("a.jar"), "x").toString());
        assertUsage("--no-java needs a program", "--no-java");
        assertUsage("no meaning with --no-java", "--no-java", "-cp", "x", "y");
    }

    @Test
    void jvm_flags_come_after_ours_and_a_fixed_port_for_several_workers_is_refused() {
        environment.put("JDIFF_WORKER_JAVA_OPTS", "-Xmx2g '-Da=b c'");
        assertThat(run("--java-opts", "-Xmx3g", "--java-opts", "-Drank={rank}", "generate"))
                .as(error)
                .isZero();
        assertThat(out.toString()).containsSubsequence("-Xmx1g", "-Xmx2g", "'-Da=b c'", "-Xmx3g", "-Drank=0", "-cp");
        String debug = "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=*:";
        assertUsage("the same port", "--nproc-per-node", "2", "--java-opts", debug + "5005", "generate");
        assertUsage(
                "the same port",
                "--nproc-per-node",
                "2",
                "--java-opts",
                "-Dcom.sun.management.jmxremote.port=99",
                "generate");
        assertThat(run("--nproc-per-node", "2", "--java-opts", debug + "0", "generate"))
                .as(error)
                .isZero();
        assertThat(run("--nproc-per-node", "2", "--java-opts", debug + "500{local_rank}", "generate"))
                .as(error)
                .isZero();
        assertUsage("-Xrs", "--java-opts", "-Xrs", "generate");
    }

    @Test
    void help_groups_all_options_that_are_built_and_lists_no_other() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString())
                .contains(
                        "ranks and devices:",
                        "rendezvous:",
                        "--nproc-per-node",
                        "(default: 25)",
                        "--no-java, --no-python")
                .doesNotContain("--start-method");
        UnbuiltOptions.names().stream()
                .filter(name -> name.startsWith("--"))
                .forEach(name -> assertThat(out.toString()).doesNotContain(name + "="));
    }

    @Test
    void signals_are_accepted_with_and_without_SIG_and_unknown_ones_are_warned_about() {
        List<String> warnings = new ArrayList<>();
        assertThat(StopSignals.parse("SIGTERM,int,QUIT,NOPE", warnings::add)).containsExactly("TERM", "INT");
        assertThat(warnings).hasSize(2);
    }
}
