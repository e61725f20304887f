package jdiff.launcher.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import jdiff.launcher.Cause;
import jdiff.launcher.LaunchException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheDirectoryTest {
    @TempDir
    private Path home;

    @Test
    void the_place_follows_the_environment() {
        assertThat(CacheDirectory.locate(Map.of("JDIFF_CACHE_DIR", "/c", "XDG_CACHE_HOME", "/x"), home))
                .isEqualTo(Path.of("/c"));
        assertThat(CacheDirectory.locate(Map.of("XDG_CACHE_HOME", "/x"), home)).isEqualTo(Path.of("/x/jdiff"));
        assertThat(CacheDirectory.locate(Map.of("XDG_CACHE_HOME", "relative"), home))
                .isEqualTo(home.resolve(".cache/jdiff"));
        assertThat(CacheDirectory.locate(Map.of(), home)).isEqualTo(home.resolve(".cache/jdiff"));
    }

    @Test
    void a_missing_directory_is_made_private() throws IOException {
        Path cache = CacheDirectory.open(home.resolve("a/b/jdiff"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(cache)))
                .isEqualTo("rwx------");
        assertThat(CacheDirectory.open(cache)).isEqualTo(cache);
    }

    @Test
    void a_directory_that_others_can_write_to_is_refused() throws IOException {
        Path cache = home.resolve("jdiff");
        Files.createDirectory(cache);
        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertRefused(cache, "rwxrwxrwx");
    }

    @Test
    void a_link_is_refused() throws IOException {
        Path target = home.resolve("target");
        Files.createDirectory(target);
        Path cache = Files.createSymbolicLink(home.resolve("jdiff"), target);
        assertRefused(cache, "link");
    }

    private static void assertRefused(Path cache, String why) {
        assertThatThrownBy(() -> CacheDirectory.open(cache))
                .isInstanceOfSatisfying(
                        LaunchException.class, e -> assertThat(e.reason()).isEqualTo(Cause.REFUSED))
                .hasMessageContaining(cache.toString())
                .hasMessageContaining(why);
    }
}
