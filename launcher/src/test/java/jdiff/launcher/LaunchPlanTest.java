package jdiff.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LaunchPlanTest {
    private static final Bindings BINDINGS =
            new Bindings("1234", "/run/j", "/run/j/classes", "p.Hello", "99", "abcd", 0);

    private static Program.Java java(List<String> arguments, JavaSource source) {
        return new Program.Java(
                "generate",
                true,
                Path.of("/jdk"),
                "the.Entry",
                arguments,
                List.of("/user.jar", "/jdiff.jar"),
                List.of("-XX:SharedArchiveFile=/a.jsa"),
                List.of("-Xmx4g", "-Dme={rank}/{local_rank}/{attempt}"),
                source);
    }

    private static ProcessSpec process(Jobs job, int rank) {
        return Launcher.plan(job.spec()).processes(BINDINGS).get(rank);
    }

    @Test
    void every_rank_gets_torchruns_environment() {
        var environment =
                process(Jobs.sh("x").workers(3).environment(Map.of()), 2).environment();
        assertThat(environment)
                .containsEntry("RANK", "2")
                .containsEntry("LOCAL_RANK", "2")
                .containsEntry("WORLD_SIZE", "3")
                .containsEntry("LOCAL_WORLD_SIZE", "3")
                .containsEntry("GROUP_RANK", "0")
                .containsEntry("GROUP_WORLD_SIZE", "1")
                .containsEntry("ROLE_NAME", "default")
                .containsEntry("ROLE_RANK", "2")
                .containsEntry("ROLE_WORLD_SIZE", "3")
                .containsEntry("MASTER_ADDR", "127.0.0.1")
                .containsEntry("MASTER_PORT", "1234")
                .containsEntry("TORCHELASTIC_USE_AGENT_STORE", "True")
                .containsEntry("TORCHELASTIC_RESTART_COUNT", "0")
                .containsEntry("TORCHELASTIC_MAX_RESTARTS", "0")
                .containsEntry("TORCHELASTIC_RUN_ID", "job")
                .containsEntry("TORCHELASTIC_ERROR_FILE", "/run/j/attempt_0/2/error.json")
                .containsEntry("TORCHELASTIC_SIGNALS_TO_HANDLE", "SIGTERM,SIGINT")
                .containsEntry("TORCH_NCCL_ASYNC_ERROR_HANDLING", "1")
                .containsEntry("GLOO_SOCKET_IFNAME", "lo")
                .containsEntry("JDIFF_LAUNCH_ID", "abcd")
                .containsEntry("JDIFF_PARENT_PID", "99")
                .containsEntry("JDIFF_ATTEMPT", "0")
                .containsEntry("JDIFF_DEVICE", "cpu")
                .containsEntry("JDIFF_SHUTDOWN_TIMEOUT", "25")
                .doesNotContainKeys("JDIFF_CONTROL", "JDIFF_RESULT_FD", "THP_MEM_ALLOC_ENABLE");
    }

    @Test
    void threads_are_shared_out_and_the_users_value_wins() {
        assertThat(process(Jobs.sh("x").workers(2).environment(Map.of()), 0).environment())
                .containsEntry("OMP_NUM_THREADS", "2")
                .containsEntry("MKL_NUM_THREADS", "2");
        assertThat(process(Jobs.sh("x").workers(9).environment(Map.of()), 0).environment())
                .containsEntry("OMP_NUM_THREADS", "1");
        assertThat(process(Jobs.sh("x").environment(Map.of("OMP_NUM_THREADS", "7")), 0)
                        .environment())
                .doesNotContainKey("OMP_NUM_THREADS")
                .containsEntry("MKL_NUM_THREADS", "2");
    }

    @Test
    void openmp_threads_of_java_workers_sleep_while_they_wait_unless_the_user_says_otherwise() {
        assertThat(process(Jobs.of(java(List.of(), null)).environment(Map.of()), 0)
                        .environment())
                .containsEntry("OMP_WAIT_POLICY", "PASSIVE");
        assertThat(process(Jobs.of(java(List.of(), null)).environment(Map.of("OMP_WAIT_POLICY", "ACTIVE")), 0)
                        .environment())
                .doesNotContainKey("OMP_WAIT_POLICY");
        assertThat(process(Jobs.sh("x").environment(Map.of()), 0).environment()).doesNotContainKey("OMP_WAIT_POLICY");
    }

    @Test
    void devices_are_opaque_entries_and_one_is_shown_with_a_virtual_local_rank() {
        var job = Jobs.sh("x").gpus("GPU-a", "MIG-b").environment(Map.of("CUDA_VISIBLE_DEVICES", "GPU-a,MIG-b"));
        assertThat(process(job, 1).device()).isEqualTo("cuda:1 (MIG-b)");
        assertThat(process(job, 1).environment())
                .doesNotContainKey("CUDA_VISIBLE_DEVICES")
                .containsEntry("JDIFF_DEVICE", "cuda");
        assertThat(process(job.virtualLocalRank(), 1).environment())
                .containsEntry("CUDA_VISIBLE_DEVICES", "MIG-b")
                .containsEntry("LOCAL_RANK", "0")
                .containsEntry("RANK", "1");
    }

    @Test
    void programs_get_the_users_own_locale_back_and_java_workers_a_utf8_one() {
        var changed = Map.of("LC_ALL", "C.UTF-8", "JDIFF_LC_ALL", "de_DE@euro");
        assertThat(process(Jobs.sh("x").environment(changed), 0).environment()).containsEntry("LC_ALL", "de_DE@euro");
        var unset = Map.of("LC_ALL", "C.UTF-8", "JDIFF_LC_ALL", "");
        assertThat(process(Jobs.sh("x").environment(unset), 0).withheld()).contains("LC_ALL", "JDIFF_LC_ALL");
        var worker = process(Jobs.of(java(List.of("verb", "generate"), null)).environment(unset), 0);
        assertThat(worker.withheld()).contains("JAVA_TOOL_OPTIONS").doesNotContain("LC_ALL");
    }

    @Test
    void a_java_worker_gets_flags_in_order_of_precedence_and_a_control_pipe() {
        var process = process(Jobs.of(java(List.of("verb", "generate", "--steps", "4"), null)), 1);
        assertThat(process.controlled()).isTrue();
        assertThat(process.command())
                .startsWith("/jdk/bin/java", "-Xmx1g", "-XX:MaxDirectMemorySize=256m", "-XX:+UseSerialGC")
                .contains("-XX:ErrorFile=/run/j/hs_err_%p.log", "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0")
                .containsSubsequence("-Xmx1g", "-XX:SharedArchiveFile=/a.jsa", "-Xmx4g", "-Dme=1/1/0", "-cp")
                .endsWith("-cp", "/user.jar:/jdiff.jar", "the.Entry", "verb", "generate", "--steps", "4")
                .doesNotContain("-Xrs");
        assertThat(process.environment())
                .containsEntry("JDIFF_CONTROL", "stdin")
                .containsEntry("JDIFF_RESULT_FD", "3")
                .containsEntry("JDIFF_CONSOLE", "plain");
    }

    @Test
    void a_compiled_program_is_last_on_the_class_path_and_called_by_its_real_name() {
        var source = new JavaSource(Path.of("Hello.java"), Path.of("/jdk"), List.of());
        var process = process(Jobs.of(java(List.of("class", JavaSource.MAIN_CLASS, "a"), source)), 0);
        assertThat(process.command())
                .endsWith("-cp", "/user.jar:/jdiff.jar:/run/j/classes", "the.Entry", "class", "p.Hello", "a");
    }

    @Test
    void a_dry_run_shows_options_with_sources_and_ranks_with_commands_but_no_secret() {
        var lines = PlanPrinter.lines(Launcher.plan(Jobs.of(new Program.Executable(List.of("run me", "hf_abcdefgh")))
                .environment(Map.of("HF_TOKEN", "hf_abcdefgh"))
                .spec()));
        assertThat(lines)
                .contains("  nproc-per-node  2  (command line)", "rank 1:", "  device   cpu", "  command  'run me' ***")
                .contains("  env      MASTER_PORT=<free port>");
        assertThat(String.join("\n", lines)).doesNotContain("hf_abcdefgh");
    }

    @Test
    void impossible_values_are_refused_where_the_record_is_built() {
        assertThatThrownBy(() -> Jobs.sh("x").workers(0).spec()).hasMessageContaining("--nproc-per-node");
        assertThatThrownBy(() -> Jobs.sh("x").port(70000).spec()).hasMessageContaining("--master-port");
        assertThatThrownBy(() -> Jobs.sh("x").grace(Duration.ofSeconds(-1)).spec())
                .hasMessageContaining("--shutdown-timeout");
        assertThatThrownBy(() -> new Policy(Duration.ZERO, Duration.ofSeconds(1), List.of(), 3, false))
                .hasMessageContaining("not supported yet");
        assertThatThrownBy(() -> new Program.Executable(List.of())).hasMessageContaining("--no-java");
    }
}
