package jdiff.launcher.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsableCpusTest {
    @TempDir
    private Path root;

    @BeforeEach
    void sixteen_allowed_cpus() throws IOException {
        write("proc/self/status", "Name:\tx\nCpus_allowed_list:\t0-7,16-23\n");
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    @Test
    void the_affinity_mask_counts() {
        assertThat(UsableCpus.of(Map.of(), root).count()).isEqualTo(16);
    }

    @Test
    void a_quota_of_cgroup_v2_is_rounded_up_and_the_least_on_the_way_to_the_root_counts() throws IOException {
        write("proc/self/cgroup", "0::/a/b\n");
        write("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
        write("sys/fs/cgroup/a/cpu.max", "250000 100000\n");
        assertThat(UsableCpus.of(Map.of(), root).count()).isEqualTo(3);
    }

    @Test
    void inside_a_container_the_group_is_the_root_of_the_mount() throws IOException {
        write("proc/self/cgroup", "0::/docker/1234\n");
        write("sys/fs/cgroup/cpu.max", "400000 100000\n");
        assertThat(UsableCpus.of(Map.of(), root).count()).isEqualTo(4);
    }

    @Test
    void a_quota_of_cgroup_v1_counts() throws IOException {
        write("proc/self/cgroup", "4:cpu,cpuacct:/job\n3:memory:/job\n");
        write("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "150000\n");
        write("sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
        assertThat(UsableCpus.of(Map.of(), root).count()).isEqualTo(2);
    }

    @Test
    void no_quota_means_no_limit() throws IOException {
        write("proc/self/cgroup", "4:cpu,cpuacct:/job\n");
        write("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "-1\n");
        write("sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
        assertThat(UsableCpus.of(Map.of(), root).count()).isEqualTo(16);
    }

    @Test
    void slurm_limits_but_never_raises() {
        assertThat(UsableCpus.of(Map.of("SLURM_CPUS_PER_TASK", "4", "SLURM_CPUS_ON_NODE", "8"), root)
                        .count())
                .isEqualTo(4);
        assertThat(UsableCpus.of(Map.of("SLURM_CPUS_ON_NODE", "64"), root).count())
                .isEqualTo(16);
        assertThat(UsableCpus.of(Map.of("SLURM_CPUS_PER_TASK", "many"), root).count())
                .isEqualTo(16);
    }

    @Test
    void every_limit_has_its_name() throws IOException {
        write("proc/self/cgroup", "0::/\n");
        write("sys/fs/cgroup/cpu.max", "350000 100000\n");
        UsableCpus cpus = UsableCpus.of(Map.of("SLURM_CPUS_PER_TASK", "6"), root);
        assertThat(cpus.limits())
                .containsExactly(
                        Map.entry("affinity", 16), Map.entry("cgroup", 4), Map.entry("SLURM_CPUS_PER_TASK", 6));
    }

    @Test
    void unreadable_files_leave_the_count_of_the_jvm() {
        assertThat(UsableCpus.of(Map.of(), root.resolve("nowhere")).count()).isPositive();
    }
}
