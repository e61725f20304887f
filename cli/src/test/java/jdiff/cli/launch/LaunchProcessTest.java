package jdiff.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import jdiff.cli.Jdiff;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The launcher as users start it: a JVM of its own, with Java programs and shell programs below it. */
@Timeout(120)
class LaunchProcessTest {
    @TempDir
    private Path directory;

    private record Result(int code, String out, String err) {}

    private Process start(Map<String, String> environment, String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                Jdiff.class.getName(),
                "launch",
                "--device",
                "cpu"));
        command.addAll(List.of(words));
        var builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(directory.resolve("out").toFile())
                .redirectError(directory.resolve("err").toFile());
        builder.environment().put("TMPDIR", directory.toString());
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().put("MARK", directory.toString());
        builder.environment().remove("JDK_JAVA_OPTIONS");
        builder.environment().putAll(environment);
        return builder.start();
    }

    private Result finish(Process launcher) throws IOException, InterruptedException {
        int code = launcher.waitFor();
        return new Result(code, Files.readString(directory.resolve("out")), Files.readString(directory.resolve("err")));
    }

    private Result launch(String... words) throws IOException, InterruptedException {
        return finish(start(Map.of(), words));
    }

    private void program(String name, String body) throws IOException {
        Files.writeString(
                directory.resolve(name + ".java"),
                "import java.nio.file.*;\nclass " + name
                        + " {\n    public static void main(String[] args) throws Exception {\n" + body
                        + "\n    }\n}\n");
    }

    /** Live processes that carry this test's mark. */
    private List<String> survivors() throws IOException {
        byte[] mark = ("MARK=" + directory).getBytes(StandardCharsets.UTF_8);
        List<String> found = new ArrayList<>();
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            for (Path process : processes
                    .filter(path -> path.getFileName().toString().matches("[0-9]+"))
                    .toList()) {
                if (read(process.resolve("environ")).contains(new String(mark, StandardCharsets.ISO_8859_1))) {
                    found.add(read(process.resolve("cmdline")));
                }
            }
        }
        return found;
    }

    /** Empty for a process that has ended or is another user's. */
    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    private void awaitNobody() throws IOException, InterruptedException {
        while (!survivors().isEmpty()) {
            Thread.sleep(50);
        }
    }

    private void awaitFiles(String... names) throws InterruptedException {
        for (String name : names) {
            while (!Files.exists(directory.resolve(name))) {
                Thread.sleep(10);
            }
        }
    }

    @Test
    void a_single_file_program_runs_on_every_rank_with_its_words_an_empty_stdin_and_results_on_stdout()
            throws Exception {
        program(
                "Hello",
                "System.err.println(\"on stderr\");\n"
                        + "System.out.println(System.getenv(\"RANK\") + \"/\" + System.getenv(\"WORLD_SIZE\") + \" \""
                        + " + java.util.List.of(args) + \" \" + System.in.read());");
        Result result = launch("--nproc-per-node", "2", "Hello.java", "a b", "", "日本");
        assertThat(result.code()).as(result.err()).isZero();
        assertThat(result.out().lines()).containsExactlyInAnyOrder("0/2 [a b, , 日本] -1", "1/2 [a b, , 日本] -1");
        assertThat(result.err().lines()).containsExactlyInAnyOrder("[rank 0] on stderr", "[rank 1] on stderr");
    }

    @Test
    void a_program_that_does_not_compile_is_shown_once_with_exit_2() throws Exception {
        program("Bad", "int x = \"text\";");
        Result result = launch("--nproc-per-node", "2", "Bad.java");
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).containsOnlyOnce("incompatible types");
        assertThat(result.out()).isEmpty();
    }

    @Test
    void an_uncaught_exception_in_any_thread_ends_the_rank_with_an_error_file() throws Exception {
        program("Boom", """
                if (System.getenv("RANK").equals("1")) {
                    new Thread(() -> { throw new IllegalStateException("kaputt"); }).start();
                }
                Thread.sleep(100_000);
                """);
        Result result = launch("--nproc-per-node", "2", "Boom.java");
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err())
                .contains("jdiff: rank 1 failed", "java.lang.IllegalStateException: kaputt", "rank 0 was stopped");
    }

    @Test
    void a_fault_that_a_program_lets_escape_is_the_headline_without_a_stack() throws Exception {
        program("Fault", """
                throw new jdiff.runtime.fault.FaultException(
                        jdiff.runtime.fault.Fault.NO_INPUT, "there is no model in /m; name a folder");
                """);
        Result result = launch("--nproc-per-node", "2", "Fault.java");
        assertThat(result.code()).isEqualTo(66);
        assertThat(result.err())
                .startsWith("jdiff: there is no model in /m; name a folder\n")
                .doesNotContain("\tat ");
    }

    @Test
    void an_exhausted_heap_is_named() throws Exception {
        program("Oom", "var all = new java.util.ArrayList<byte[]>(); while (true) { all.add(new byte[1 << 20]); }");
        Result result = launch("--java-opts", "-Xmx32m", "Oom.java");
        assertThat(result.code()).isEqualTo(3);
        assertThat(result.err()).contains("(java-oom, exit code 3)");
    }

    @Test
    void TERM_to_the_launcher_reaches_each_worker_once_and_gives_143() throws Exception {
        String script = "trap 'echo caught' TERM; touch up$RANK; while :; do sleep 0.05; done";
        Process launcher =
                start(Map.of(), "--nproc-per-node", "2", "--shutdown-timeout", "1", "--no-java", "sh", "-c", script);
        awaitFiles("up0", "up1");
        launcher.destroy();
        Result result = finish(launcher);
        assertThat(result.code()).isEqualTo(143);
        assertThat(result.out()).isEqualTo("caught\ncaught\n");
        assertThat(survivors()).isEmpty();
    }

    @Test
    void a_java_worker_is_asked_to_drain_by_USR1() throws Exception {
        program(
                "Drain",
                "Files.createFile(Path.of(\"up\"));\n"
                        + "while (!jdiff.cli.worker.WorkerControl.isDraining()) { Thread.sleep(10); }\nSystem.out.println(\"drained\");");
        Process launcher = start(Map.of(), "Drain.java");
        awaitFiles("up");
        assertThat(new ProcessBuilder("kill", "-USR1", Long.toString(launcher.pid()))
                        .start()
                        .waitFor())
                .isZero();
        Result result = finish(launcher);
        assertThat(result.code()).as(result.err()).isZero();
        assertThat(result.out()).isEqualTo("drained\n");
    }

    @Test
    void workers_and_grandchildren_are_gone_when_the_launcher_is_killed() throws Exception {
        String script = "sleep 1000 & touch up$RANK; trap '' TERM HUP INT; while :; do sleep 0.2; done";
        Process launcher = start(Map.of(), "--nproc-per-node", "2", "--no-java", "sh", "-c", script);
        awaitFiles("up0", "up1");
        launcher.destroyForcibly().waitFor();
        awaitNobody();
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(path -> path.getFileName().toString())).noneMatch(name -> name.startsWith("jdiff-"));
        }
    }

    @Test
    void a_java_program_and_the_compiler_go_with_their_launcher_at_any_time() throws Exception {
        program("Sleep", "Thread.sleep(100_000);");
        long seed = 4;
        var random = new Random(seed);
        for (int round = 0; round < 4; round++) {
            Process launcher = start(Map.of(), "--nproc-per-node", "2", "Sleep.java");
            Thread.sleep(random.nextInt(2500)); // any phase: start, compilation, spawn, run
            launcher.destroyForcibly().waitFor();
            awaitNobody();
        }
    }

    @Test
    void a_jar_and_a_class_run_as_programs() throws Exception {
        program("Main", "System.out.println(\"main\");");
        Path classes = directory.resolve("classes");
        assertThat(new ProcessBuilder(
                                "javac",
                                "-d",
                                classes.toString(),
                                directory.resolve("Main.java").toString())
                        .start()
                        .waitFor())
                .isZero();
        assertThat(new ProcessBuilder(
                                "jar",
                                "cfe",
                                directory.resolve("m.jar").toString(),
                                "Main",
                                "-C",
                                classes.toString(),
                                ".")
                        .start()
                        .waitFor())
                .isZero();
        assertThat(launch("m.jar").out()).isEqualTo("main\n");
        assertThat(launch("-cp", classes.toString(), "Main").out()).isEqualTo("main\n");
        Result missing = launch("-cp", classes.toString(), "Other");
        assertThat(missing.code()).isEqualTo(2);
        assertThat(missing.err()).contains("there is no class Other on the class path");
    }

    @Test
    void the_summary_and_the_launchers_own_error_file_name_the_root_cause() throws Exception {
        Path error = directory.resolve("outer.json");
        Process launcher = start(
                Map.of("TORCHELASTIC_ERROR_FILE", error.toString()),
                "--nproc-per-node",
                "2",
                "--summary-json",
                "summary.json",
                "--exit-code",
                "flat",
                "--no-java",
                "sh",
                "-c",
                "[ $RANK = 1 ] && exit 9; sleep 100");
        assertThat(finish(launcher).code()).isEqualTo(1);
        assertThat(Files.readString(error)).contains("\"errorCode\":9", "rank 1");
        assertThat(Files.readString(directory.resolve("summary.json")))
                .contains("\"code\" : 9", "\"collateral\" : true");
    }
}
