package jdiff.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstallationTest {
    @TempDir
    private Path temp;

    @Test
    void workers_are_told_where_the_native_libraries_are() throws IOException {
        Installation installation = Installation.ofThisJvm();
        assertThat(installation.flags())
                .contains("-Djdiff.natives=" + installation.nativesMarker().getParent());
        assertThat(installation.java()).isExecutable();
    }

    @Test
    void two_processes_at_once_prepare_one_folder() throws Exception {
        Process first = prepare();
        Process second = prepare();
        assertThat(first.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(second.waitFor(120, TimeUnit.SECONDS)).isTrue();
        String folder = new String(first.getInputStream().readAllBytes(), UTF_8).strip();
        assertThat(new String(second.getInputStream().readAllBytes(), UTF_8).strip())
                .isEqualTo(folder);
        assertThat(Path.of(folder, "complete")).exists();
        assertThat(Path.of(folder).getParent()).isDirectoryContaining(path -> path.equals(Path.of(folder)));
        try (var tokenizers = Files.list(temp.resolve("tokenizers"))) {
            assertThat(tokenizers).hasSize(1);
        }
    }

    private Process prepare() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(Installation.ofThisJvm().prepareNatives());
        builder.environment().put("JDIFF_CACHE_DIR", temp.toString());
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        return builder.start();
    }
}
