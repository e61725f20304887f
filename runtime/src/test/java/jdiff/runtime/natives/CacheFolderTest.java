package jdiff.runtime.natives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheFolderTest {
    @TempDir
    private Path temp;

    @Test
    void own_variable_wins_over_xdg_and_home() {
        assertThat(CacheFolder.path(Map.of("JDIFF_CACHE_DIR", "/a", "XDG_CACHE_HOME", "/b"), "/home/me"))
                .isEqualTo(Path.of("/a"));
        assertThat(CacheFolder.path(Map.of("JDIFF_CACHE_DIR", "", "XDG_CACHE_HOME", "/b"), "/home/me"))
                .isEqualTo(Path.of("/b/jdiff"));
        assertThat(CacheFolder.path(Map.of("HOME", "/home/other"), "/home/me"))
                .isEqualTo(Path.of("/home/other/.cache/jdiff"));
        assertThat(CacheFolder.path(Map.of("XDG_CACHE_HOME", "relative"), "/home/me"))
                .isEqualTo(Path.of("/home/me/.cache/jdiff"));
    }

    @Test
    void new_folder_is_closed_to_others() throws IOException {
        Path folder = CacheFolder.open(temp.resolve("caches/jdiff"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
    }

    @Test
    void folder_open_to_others_is_refused() throws IOException {
        Path folder = Files.createDirectory(temp.resolve("open"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThatThrownBy(() -> CacheFolder.open(folder))
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault()).isEqualTo(Fault.REFUSED))
                .hasMessageContaining("chmod 700 " + folder.toRealPath());
    }

    @Test
    void a_check_finds_the_same_and_creates_nothing() throws IOException {
        Path folder = temp.resolve("caches/jdiff");
        assertThat(CacheFolder.check(folder)).isEqualTo(temp);
        assertThat(temp).isEmptyDirectory();
        assertThat(CacheFolder.check(CacheFolder.open(folder))).isEqualTo(folder.toRealPath());
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThatThrownBy(() -> CacheFolder.check(folder)).hasMessageContaining("others may reach it");
    }

    @Test
    void file_in_the_way_names_the_variable_to_set() throws IOException {
        Path file = Files.createFile(temp.resolve("file"));
        assertThatThrownBy(() -> CacheFolder.open(file.resolve("jdiff")))
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault()).isEqualTo(Fault.OUTPUT))
                .hasMessageContaining("JDIFF_CACHE_DIR");
    }

    @Test
    void noexec_of_the_nearest_mount_counts() throws IOException {
        Path mountinfo = Files.writeString(temp.resolve("mountinfo"), """
                21 1 254:0 / / rw,relatime - ext4 /dev/vda rw
                22 21 0:20 / /tmp rw,nosuid,noexec - tmpfs tmpfs rw
                23 22 0:21 / /tmp/a\\040b rw - tmpfs tmpfs rw
                """);
        Mounts mounts = Mounts.of(mountinfo);
        mounts.requireExecution(Path.of("/home/me"));
        mounts.requireExecution(Path.of("/tmp/a b/cache"));
        assertThatThrownBy(() -> mounts.requireExecution(Path.of("/tmp/cache")))
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault()).isEqualTo(Fault.CONFIG))
                .hasMessageContaining("noexec");
    }
}
