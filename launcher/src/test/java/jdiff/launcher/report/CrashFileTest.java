package jdiff.launcher.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CrashFileTest {
    @TempDir
    Path dir;

    @Test
    void a_bus_error_points_at_mapped_weights() throws IOException {
        Path file = Files.writeString(
                dir.resolve("hs_err_7.log"), "#\n# A fatal error\n#\n#  SIGBUS (0x7) at pc=0x00007f, pid=7, tid=8\n");
        assertThat(new CrashFile(file).advice()).get().asString().contains("--weights-io read", "SIGBUS");
    }

    @Test
    void another_crash_gets_no_advice() throws IOException {
        Path file = Files.writeString(dir.resolve("hs_err_7.log"), "#  SIGSEGV (0xb) at pc=0x00007f, pid=7, tid=8\n");
        assertThat(new CrashFile(file).advice()).isEmpty();
        assertThat(new CrashFile(dir.resolve("none")).advice()).isEmpty();
    }
}
