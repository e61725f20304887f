package jdiff.runtime.loading;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostMemoryTest {
    @TempDir
    private Path root;

    private void write(String file, String text) throws IOException {
        Files.createDirectories(root.resolve(file).getParent());
        Files.writeString(root.resolve(file), text);
    }

    @Test
    void the_total_is_that_of_the_machine_or_of_the_tightest_group() throws IOException {
        HostMemory memory = new HostMemory(root);
        assertThat(memory.totalBytes()).isEqualTo(Long.MAX_VALUE);
        write("proc/meminfo", "MemTotal:       1000 kB\nMemFree:         100 kB\nMemAvailable:    400 kB\n");
        assertThat(memory.totalBytes()).isEqualTo(1000 << 10);
        write("proc/self/cgroup", "0::/job/rank\n");
        write("sys/fs/cgroup/job/memory.max", "800000\n");
        write("sys/fs/cgroup/job/rank/memory.max", "max\n");
        assertThat(memory.totalBytes()).isEqualTo(800_000);
        write("sys/fs/cgroup/job/rank/memory.max", "300000\n");
        assertThat(memory.totalBytes()).isEqualTo(300_000);
    }
}
