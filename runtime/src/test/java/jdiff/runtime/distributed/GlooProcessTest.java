package jdiff.runtime.distributed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real group: processes that find each other through libtorch's store and talk by Gloo. */
class GlooProcessTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @TempDir
    Path folder;

    @Test
    void two_processes_give_the_known_results_and_write_nothing_to_stdout() throws Exception {
        for (Result rank : run("collectives", 2, false)) {
            assertThat(rank.code).describedAs(rank.stderr).isZero();
            assertThat(rank.stderr).endsWith("done\n");
            assertThat(rank.stdout).isEmpty();
        }
    }

    @Test
    void with_an_agents_store_every_rank_is_a_client() throws Exception {
        try (Store agent = TcpStore.connect("127.0.0.1", port(), true, Duration.ofSeconds(10))) {
            for (Result rank : run("collectives", 2, true)) {
                assertThat(rank.code).describedAs(rank.stderr).isZero();
            }
            assertThat(agent.contains("jdiff/0/gloo/world/0,1/0"))
                    .describedAs("keys carry the attempt")
                    .isFalse();
        }
    }

    @Test
    void a_process_that_dies_is_a_lost_peer_for_the_other() throws Exception {
        List<Result> ranks = run("lost", 2, false);
        assertThat(ranks.get(1).code).isEqualTo(9);
        assertThat(ranks.get(0).stderr)
                .contains("PEER_LOST [rank 0, world 0/2] all-reduce of float32[3]: Connection closed by peer");
    }

    @Test
    void a_mismatch_is_an_error_and_no_crash() throws Exception {
        List<Result> ranks = run("differ", 2, false);
        assertThat(ranks.get(0).code).isZero();
        assertThat(ranks.get(0).stderr)
                .contains(
                        "CONFIG [rank 0, world 0/2] all-reduce float32[3] differs from rank 1: all-reduce float32[4]");
        assertThat(ranks.get(1).stderr).contains("CONFIG [rank 1, world 1/2]");
    }

    private record Result(int code, String stdout, String stderr) {}

    private int port;

    private int port() throws IOException {
        if (port == 0) {
            port = StoreTest.freePort();
        }
        return port;
    }

    private List<Result> run(String scenario, int ranks, boolean agent) throws IOException, InterruptedException {
        List<Process> processes = new ArrayList<>();
        try {
            for (int rank = 0; rank < ranks; rank++) {
                processes.add(start(scenario, rank, ranks, agent));
            }
            List<Result> results = new ArrayList<>();
            for (int rank = 0; rank < ranks; rank++) {
                Process process = processes.get(rank);
                assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS))
                        .describedAs("rank " + rank + " ends in time")
                        .isTrue();
                results.add(new Result(
                        process.exitValue(),
                        Files.readString(folder.resolve("stdout" + rank)),
                        Files.readString(folder.resolve("stderr" + rank))));
            }
            return results;
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }

    private Process start(String scenario, int rank, int ranks, boolean agent) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0",
                "-Dorg.bytedeco.javacpp.maxBytes=0",
                "-cp",
                System.getProperty("java.class.path"),
                GlooMain.class.getName(),
                scenario);
        builder.environment()
                .putAll(Map.of(
                        "RANK",
                        Integer.toString(rank),
                        "LOCAL_RANK",
                        Integer.toString(rank),
                        "WORLD_SIZE",
                        Integer.toString(ranks),
                        "MASTER_ADDR",
                        "127.0.0.1",
                        "MASTER_PORT",
                        Integer.toString(port()),
                        "TORCHELASTIC_RUN_ID",
                        "test",
                        "TORCHELASTIC_USE_AGENT_STORE",
                        agent ? "True" : "False",
                        "GLOO_SOCKET_IFNAME",
                        "lo",
                        "OMP_NUM_THREADS",
                        "1"));
        builder.redirectOutput(folder.resolve("stdout" + rank).toFile());
        builder.redirectError(folder.resolve("stderr" + rank).toFile());
        return builder.start();
    }
}
