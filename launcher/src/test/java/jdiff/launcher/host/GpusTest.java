package jdiff.launcher.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GpusTest {
    @TempDir
    private Path dev;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0,1|[0, 1]",
                "GPU-8f2a,MIG-1/2|[GPU-8f2a, MIG-1/2]",
                "''|[]",
                "-1|[]",
                "0,-1,2|[0]",
                "NoDevFiles|[]",
                "' 3 '|[3]"
            })
    void entries_are_opaque_and_end_where_cuda_ends_them(String list, String gpus) {
        assertThat(Gpus.visible(Map.of("CUDA_VISIBLE_DEVICES", list), dev)).hasToString(gpus);
    }

    @Test
    void without_a_list_device_files_count() throws IOException {
        for (String name : new String[] {"nvidia0", "nvidia3", "nvidiactl", "nvidia-uvm", "null"}) {
            Files.createFile(dev.resolve(name));
        }
        assertThat(Gpus.visible(Map.of(), dev)).containsExactly("0", "1");
    }

    @Test
    void a_missing_directory_has_no_devices() {
        assertThat(Gpus.visible(Map.of(), dev.resolve("none"))).isEmpty();
    }
}
