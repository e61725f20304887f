package jdiff.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import jdiff.cli.DoctorCommand;
import jdiff.cli.doctor.Finding.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ChecksTest {
    @TempDir
    Path root;

    @Test
    void usable_cpus_are_the_smallest_of_affinity_quota_and_slurm() throws IOException {
        file("proc/self/status", "Name:\tjava\nCpus_allowed_list:\t0-7,16\n");
        file("proc/self/cgroup", "0::/\n");
        file("sys/fs/cgroup/cpu.max", "350000 100000\n");
        file("proc/cpuinfo", "model name\t: Fast One\nflags\t\t: fpu avx2 avx512f avx512_bf16\n");
        List<Finding> findings = new CpuCheck().run(new Machine(root, Map.of("SLURM_CPUS_PER_TASK", "6")));
        assertThat(findings.get(0)).isEqualTo(Finding.ok("cpu", "Fast One: avx2 avx512f avx512_bf16"));
        assertThat(findings.get(1))
                .isEqualTo(Finding.ok("cpus", "4 usable (affinity 9, cgroup 4, SLURM_CPUS_PER_TASK 6)"));
    }

    @Test
    void a_cpu_without_fast_bf16_is_a_warning_that_says_what_to_use() throws IOException {
        file("proc/cpuinfo", "model name\t: Slow One\nflags\t\t: fpu avx2\n");
        Finding finding = new CpuCheck().run(new Machine(root, Map.of())).get(0);
        assertThat(finding.status()).isEqualTo(Status.WARN);
        assertThat(finding.advice()).contains("--dtype float32");
    }

    @Test
    void a_control_groups_memory_limit_is_named() throws IOException {
        file("proc/meminfo", "MemTotal:       67108864 kB\nMemFree: 1 kB\nMemAvailable:   33554432 kB\n");
        file("sys/fs/cgroup/memory.max", "4294967296\n");
        assertThat(new MemoryCheck().run(new Machine(root, Map.of())))
                .containsExactly(Finding.ok(
                        "memory", "32.0 GiB available of 64.0 GiB, limited to 4.0 GiB by the control group"));
    }

    @Test
    void without_a_gpu_jobs_run_on_the_cpu() {
        assertThat(new GpuCheck().run(new Machine(root, Map.of())))
                .containsExactly(Finding.ok("gpus", "none: jobs run on the CPU"));
    }

    @Test
    void a_list_of_gpus_on_a_machine_without_any_is_a_warning() {
        Finding finding = new GpuCheck()
                .run(new Machine(root, Map.of("CUDA_VISIBLE_DEVICES", "0,1")))
                .get(0);
        assertThat(finding.status()).isEqualTo(Status.WARN);
        assertThat(finding.advice()).contains("--gpus all");
    }

    @Test
    void gpus_that_this_build_cannot_use_and_an_old_driver_are_named() throws IOException {
        file("dev/nvidia0", "");
        file("dev/nvidia1", "");
        file("dev/nvidiactl", "");
        file(
                "proc/driver/nvidia/version",
                "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.161.08  Sat Feb 24 22:55:56 UTC 2024\nGCC version: 12\n");
        List<Finding> findings = new GpuCheck().run(new Machine(root, Map.of()));
        assertThat(findings.get(0).text()).isEqualTo("2 in /dev, CUDA_VISIBLE_DEVICES unset, not used by this build");
        assertThat(findings.get(0).advice()).contains("-Pgpu");
        assertThat(findings.get(1))
                .isEqualTo(Finding.fail("driver", "version 535.161.08", "CUDA 13 needs a driver of at least 580"));
    }

    @Test
    void a_list_that_hides_all_gpus_is_a_warning() throws IOException {
        file("dev/nvidia0", "");
        Finding finding = new GpuCheck()
                .run(new Machine(root, Map.of("CUDA_VISIBLE_DEVICES", "-1,0")))
                .get(0);
        assertThat(finding.advice()).contains("unset CUDA_VISIBLE_DEVICES");
    }

    @Test
    void a_library_is_found_in_the_library_path_and_in_the_loaders_cache() throws IOException {
        file("opt/cuda/libcudart.so.13", "");
        file("etc/ld.so.cache", "libnccl.so.2\0/usr/lib/libnccl.so.2\0");
        Machine machine = new Machine(root, Map.of("LD_LIBRARY_PATH", "/opt/cuda"));
        assertThat(CudaLibrariesCheck.found(machine, "libcudart.so.13")).isTrue();
        assertThat(CudaLibrariesCheck.found(machine, "libnccl.so.2")).isTrue();
        assertThat(CudaLibrariesCheck.found(machine, "libcudnn.so.9")).isFalse();
    }

    @Test
    void missing_programs_and_few_open_files_are_warnings() throws IOException {
        file("proc/self/limits", """
                Limit                     Soft Limit           Hard Limit           Units
                Max open files            256                  4096                 files
                """);
        List<Finding> findings = new SystemCheck().run(new Machine(root, Map.of("PATH", "/bin")));
        assertThat(findings).extracting(Finding::name).containsExactly("sh", "setsid", "shm", "files");
        assertThat(findings).extracting(Finding::status).containsOnly(Status.WARN);
    }

    @Test
    void this_machine_has_a_report_as_lines_and_as_json() {
        StringWriter lines = new StringWriter();
        CommandLine command = new CommandLine(new DoctorCommand()).setOut(new PrintWriter(lines));
        int code = command.execute();
        assertThat(code).isIn(0, 78);
        assertThat(lines.toString()).contains("libtorch  2.").contains("java").contains("natives");
        StringWriter json = new StringWriter();
        command.setOut(new PrintWriter(json));
        assertThat(command.execute("--json")).isEqualTo(code);
        assertThat(json.toString())
                .startsWith("{")
                .contains("\"name\" : \"libtorch\"")
                .endsWith("}\n");
    }

    private void file(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
