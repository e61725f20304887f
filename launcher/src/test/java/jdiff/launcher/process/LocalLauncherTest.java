package jdiff.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import jdiff.launcher.Bindings;
import jdiff.launcher.Cause;
import jdiff.launcher.Jobs;
import jdiff.launcher.LaunchException;
import jdiff.launcher.Launcher;
import jdiff.launcher.Preparation;
import jdiff.launcher.ProcessSpec;
import jdiff.launcher.Program;
import jdiff.launcher.log.ConsoleErr;
import jdiff.launcher.log.ConsoleOut;
import jdiff.launcher.report.JobResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real processes: small shell programs. A deadline guards every test; nothing depends on how long anything takes. */
@Timeout(60)
class LocalLauncherTest {
    @TempDir
    private Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private ConsoleErr console;
    private Launcher launcher;

    @BeforeEach
    void newLauncher() {
        console = new ConsoleErr(err, false);
        launcher = new Launcher(new ConsoleOut(out), console);
    }

    /** Every child of a job leaves nothing behind: neither processes nor files. */
    @AfterEach
    void nothing_is_left() throws IOException, InterruptedException {
        // The guard has been told to leave when a job ends; it may still be on its way out.
        await(() -> ProcessHandle.current().descendants().noneMatch(ProcessHandle::isAlive));
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString())).noneMatch(name -> name.startsWith("jdiff-"));
        }
    }

    private JobResult run(Jobs jobs) throws LaunchException, InterruptedException {
        Map<String, String> environment = new TreeMap<>(System.getenv());
        environment.put("TMPDIR", directory.toString());
        environment.put("HERE", directory.toString());
        // What the launcher adds reaches workers through the plan; these come from this JVM's environment.
        JobResult result =
                launcher.run(Launcher.plan(jobs.environment(environment).spec()));
        console.flush(10_000);
        return result;
    }

    private FutureTask<JobResult> start(Jobs jobs) {
        Callable<JobResult> job = () -> run(jobs);
        var task = new FutureTask<>(job);
        new Thread(task, "job").start();
        return task;
    }

    private String stderr() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(10);
        }
    }

    /** Waits until each of two ranks has left a file with its pid. */
    private List<Long> pids(String name) throws InterruptedException, IOException {
        List<Long> pids = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            Path file = directory.resolve(name + rank);
            await(() -> {
                try {
                    return Files.exists(file) && Files.readString(file).endsWith("\n");
                } catch (IOException e) {
                    return false;
                }
            });
            pids.add(Long.parseLong(Files.readString(file).strip()));
        }
        return pids;
    }

    private String here(String script) {
        return "cd '" + directory + "'; " + script;
    }

    private static boolean isAlive(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z'; // nobody may be there to reap an orphan
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void a_job_whose_ranks_end_with_0_is_quiet() throws Exception {
        JobResult result = run(Jobs.sh("echo $RANK/$WORLD_SIZE"));
        assertThat(result.code()).isZero();
        assertThat(result.word()).isEqualTo("ok");
        assertThat(out.toString(StandardCharsets.UTF_8).lines()).containsExactlyInAnyOrder("0/2", "1/2");
        assertThat(stderr()).isEmpty();
    }

    @Test
    void the_code_of_the_first_failing_rank_is_returned_and_peers_are_collateral() throws Exception {
        JobResult result = run(Jobs.sh("[ $RANK = 1 ] && { echo sorry >&2; exit 7; }; sleep 100"));
        assertThat(result.code()).isEqualTo(7);
        assertThat(result.ranks().get(0).stopped()).isTrue();
        assertThat(result.ranks().get(1).stopped()).isFalse();
        assertThat(stderr())
                .contains(
                        "[rank 1] sorry",
                        "jdiff: rank 1 failed on here",
                        "exit code 7",
                        "rank 0 was stopped because of it");
    }

    @ParameterizedTest
    @ValueSource(strings = {"KILL", "SEGV", "ABRT"})
    void a_death_by_signal_is_named(String signal) throws Exception {
        JobResult result = run(Jobs.sh("[ $RANK = 1 ] && kill -s " + signal + " $$; sleep 100"));
        assertThat(result.code()).isGreaterThan(128);
        assertThat(stderr()).contains("(" + signal + ")");
        assertThat(result.word()).isEqualTo(signal.equals("KILL") ? "killed" : "crash");
    }

    @Test
    void who_ignores_TERM_is_killed_after_the_grace_when_a_peer_fails() throws Exception {
        String script = "trap '' TERM; echo $$ > pid$RANK; "
                + "[ $RANK = 1 ] && { while [ ! -s pid0 ]; do sleep 0.05; done; exit 5; }; while :; do sleep 0.2; done";
        JobResult result = run(Jobs.sh(here(script)).grace(Duration.ofMillis(300)));
        assertThat(result.code()).isEqualTo(5);
        assertThat(result.ranks().get(0).exit().code()).isEqualTo(137);
    }

    @Test
    void a_stop_signal_is_forwarded_once_and_who_ignores_it_is_killed_after_the_grace() throws Exception {
        String script = "trap 'echo got TERM' TERM; echo $$ > pid$RANK; while :; do sleep 0.05; done";
        var job = start(Jobs.sh(here(script)).grace(Duration.ofSeconds(1)));
        List<Long> pids = pids("pid");
        launcher.stop("TERM");
        JobResult result = job.get();
        assertThat(result.code()).isEqualTo(143);
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("got TERM\n".repeat(2));
        assertThat(pids).noneMatch(LocalLauncherTest::isAlive);
        assertThat(stderr()).contains("stopped by SIGTERM");
    }

    @Test
    void a_second_signal_kills_at_once() throws Exception {
        String script = "trap '' TERM INT; echo $$ > pid$RANK; while :; do sleep 0.2; done";
        var job = start(Jobs.sh(here(script)).grace(Duration.ofHours(1)));
        pids("pid");
        launcher.stop("INT");
        launcher.stop("TERM");
        assertThat(job.get().code()).isEqualTo(130);
    }

    @Test
    void grandchildren_are_swept_whether_the_leader_succeeds_or_is_killed() throws Exception {
        String script = "sleep 1000 & echo $! > kid$RANK; ";
        assertThat(run(Jobs.sh(here(script + "exit 0"))).code()).isZero();
        assertThat(pids("kid")).noneMatch(LocalLauncherTest::isAlive);
        assertThat(run(Jobs.sh(here(script + "kill -9 $$"))).code()).isEqualTo(137);
        assertThat(pids("kid")).noneMatch(LocalLauncherTest::isAlive);
    }

    @Test
    void a_drain_signal_reaches_programs_and_75_is_their_own_code() throws Exception {
        String script = "trap 'exit 75' USR1; echo $$ > pid$RANK; while :; do sleep 0.05; done";
        var job = start(Jobs.sh(here(script)));
        pids("pid");
        launcher.drain("USR1");
        assertThat(job.get().code()).isEqualTo(75);
    }

    @Test
    void a_given_port_that_is_taken_is_refused_before_any_worker() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var job = Jobs.sh("echo started").port(taken.getLocalPort());
            assertThatThrownBy(() -> run(job))
                    .isInstanceOfSatisfying(
                            LaunchException.class, e -> assertThat(e.reason()).isEqualTo(Cause.RENDEZVOUS));
        }
        assertThat(out.size()).isZero();
    }

    @Test
    void the_report_does_not_repeat_lines_that_stand_right_above_it() throws Exception {
        run(Jobs.sh("echo the end >&2; exit 4").workers(1));
        assertThat(stderr()).containsOnlyOnce("the end").doesNotContain("last lines");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{\"message\": {\"mess", "not json", "[1, 2]"})
    void a_useless_error_file_is_replaced_by_the_tail_of_stderr(String content) throws Exception {
        Files.writeString(directory.resolve("content"), content);
        JobResult result = run(Jobs.sh(here("cp content \"$TORCHELASTIC_ERROR_FILE\"; echo the end >&2; exit 4"))
                .workers(1)
                .logDir(directory)
                .redirects("2"));
        assertThat(result.code()).isEqualTo(4);
        assertThat(stderr()).contains("last lines of its stderr", "  the end");
    }

    @Test
    void an_error_file_speaks_for_its_rank() throws Exception {
        Files.writeString(
                directory.resolve("content"),
                "{\"message\": {\"message\": \"x.FaultException: folder /m has no model_index.json\"}, \"cause\": \"no-input\"}");
        JobResult result = run(Jobs.sh(here("cp content \"$TORCHELASTIC_ERROR_FILE\"; echo noise >&2; exit 66"))
                .workers(3));
        assertThat(result.word()).isEqualTo("no-input");
        assertThat(stderr().lines().filter(line -> line.startsWith("jdiff: ")))
                .contains("jdiff: folder /m has no model_index.json")
                .noneMatch(line -> line.contains("noise"));
    }

    @Test
    void a_missing_or_unusable_program_starts_nothing() throws Exception {
        Path file = Files.writeString(directory.resolve("plain"), "x");
        assertFails(new Program.Executable(List.of("no-such-program-anywhere")), Cause.NOT_FOUND);
        assertFails(new Program.Executable(List.of(directory.resolve("none").toString())), Cause.NOT_FOUND);
        assertFails(new Program.Executable(List.of(file.toString())), Cause.NOT_EXECUTABLE);
        assertFails(new Program.Executable(List.of(directory.toString())), Cause.NOT_EXECUTABLE);
    }

    private void assertFails(Program program, Cause cause) {
        assertThatThrownBy(() -> run(Jobs.of(program)))
                .isInstanceOfSatisfying(
                        LaunchException.class, e -> assertThat(e.reason()).isEqualTo(cause));
    }

    @Test
    void logs_lie_where_torchrun_puts_them() throws Exception {
        Path logs = directory.resolve("logs");
        run(Jobs.sh("echo out; echo err >&2").logDir(logs));
        Path job;
        try (Stream<Path> jobs = Files.list(logs)) {
            job = jobs.toList().get(0);
        }
        assertThat(job.getFileName().toString()).startsWith("job_");
        assertThat(Files.readString(job.resolve("attempt_0/1/stdout.log"))).isEqualTo("out\n");
        assertThat(Files.readString(job.resolve("attempt_0/1/stderr.log"))).isEqualTo("err\n");
        assertThat(Files.readString(job.resolve("launch.json"))).contains("\"localRank\":1,\"rank\":1");
    }

    @Test
    void a_log_directory_that_cannot_be_made_costs_the_logs_only() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        assertThat(run(Jobs.sh("echo out").logDir(file.resolve("logs"))).code()).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("out\nout\n");
    }

    @Test
    void a_preparation_runs_only_while_its_marker_is_missing_and_its_code_ends_the_launch() throws Exception {
        Path marker = directory.resolve("marker");
        var preparation = new Preparation("things", marker, List.of("touch", marker.toString()));
        assertThat(run(Jobs.sh("exit 0").preparation(preparation)).code()).isZero();
        assertThat(marker).exists();
        var failing = new Preparation("things", marker, List.of("sh", "-c", "exit 78"));
        assertThat(run(Jobs.sh("exit 0").preparation(failing)).code()).isZero();
        Files.delete(marker);
        assertThatThrownBy(() -> run(Jobs.sh("exit 0").preparation(failing)))
                .isInstanceOfSatisfying(
                        LaunchException.class, e -> assertThat(e.reason()).isEqualTo(Cause.CONFIG))
                .hasMessageContaining("things");
    }

    @Test
    void a_signal_during_preparation_ends_it_and_starts_no_worker() throws Exception {
        Path marker = directory.resolve("marker");
        var endless = new Preparation(
                "things", marker, List.of("sh", "-c", here("echo $$ > pid0; echo $$ > pid1; sleep 1000")));
        var job = start(Jobs.sh("echo started").preparation(endless));
        List<Long> pids = pids("pid");
        launcher.stop("TERM");
        assertThat(job.get().code()).isEqualTo(143);
        await(() -> !isAlive(pids.get(0)));
        assertThat(out.size()).isZero();
    }

    @Test
    void the_guard_is_replaced_when_it_is_killed_and_still_knows_the_groups() throws Exception {
        String script = "trap '' TERM; echo $$ > pid$RANK; while :; do sleep 0.2; done";
        var job = start(Jobs.sh(here(script)).grace(Duration.ofMillis(200)));
        List<Long> pids = pids("pid");
        ProcessHandle guard = ProcessHandle.current()
                .children()
                .filter(child -> !pids.contains(child.pid()))
                .findFirst()
                .orElseThrow();
        guard.destroyForcibly();
        await(() -> !guard.isAlive());
        launcher.stop("TERM");
        assertThat(job.get().code()).isEqualTo(143);
    }

    @Test
    void a_rank_that_ends_early_is_warned_about_once_and_the_job_goes_on() throws Exception {
        var events = new LinkedBlockingQueue<Event>();
        var spec = Jobs.sh(here("[ $RANK = 0 ] || while [ ! -e warned ]; do sleep 0.05; done"))
                .spec();
        try (Groups groups = new Groups(Shell.find(System.getenv()), directory, events)) {
            var group = new WorkerGroup(spec.policy(), false, Duration.ofMillis(200), events);
            var bindings = new Bindings("1", directory.toString(), "", "", "1", "id", 0);
            for (ProcessSpec process : Launcher.plan(spec).processes(bindings)) {
                var child = groups.startProgram(process.command(), process.environment(), List.of());
                group.add(new Worker(process, child, false));
            }
            new Thread(() -> leaveWhenWarned(group), "watch").start();
            assertThat(group.supervise().results())
                    .allMatch(result -> result.exit().code() == 0);
            assertThat(group.hasWarnedEarly()).isTrue();
        }
    }

    private void leaveWhenWarned(WorkerGroup group) {
        try {
            await(group::hasWarnedEarly);
            Files.createFile(directory.resolve("warned"));
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void only_groups_of_the_job_are_signalled() throws Exception {
        Process foreign = new ProcessBuilder("sh", "-c", "echo ready; exec sleep 1000").start();
        try {
            assertThat(foreign.getInputStream().read()).isEqualTo('r');
            assertThat(run(Jobs.sh("exec sleep 0")).code()).isZero();
            assertThat(foreign.isAlive()).isTrue();
        } finally {
            foreign.destroyForcibly().waitFor();
        }
    }
}
