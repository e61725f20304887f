package jdiff.runtime.natives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnpackingTest {
    private static final List<NativeLibrary> SMALL = List.of(NativeLibrary.ALL.get(0));

    @TempDir
    private Path temp;

    private Path folder;

    @BeforeEach
    void choose() {
        folder = temp.resolve("natives/key");
    }

    @Test
    void folder_is_complete_after_unpacking() throws IOException {
        assertThat(Unpacking.complete(folder)).isFalse();
        Unpacking.into(folder, SMALL);
        assertThat(Unpacking.complete(folder)).isTrue();
        assertThat(folder.resolve("libjnijavacpp.so")).isNotEmptyFile();
    }

    @Test
    void folder_without_marker_is_replaced() throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("libjnijavacpp.so"), "half");
        Files.writeString(folder.resolve("foreign"), "");
        Unpacking.into(folder, SMALL);
        assertThat(Files.size(folder.resolve("libjnijavacpp.so"))).isGreaterThan(4);
        assertThat(folder.resolve("foreign")).doesNotExist();
    }

    @Test
    void folder_filled_in_place_is_marked_only_after_success() throws IOException {
        assertThatThrownBy(() -> Unpacking.inPlace(folder, at -> {
                    Files.writeString(at.resolve("half"), "");
                    throw new IOException("stopped");
                }))
                .hasMessageContaining("stopped");
        assertThat(Unpacking.complete(folder)).isFalse();
        Unpacking.inPlace(folder, at -> Files.writeString(at.resolve("whole"), ""));
        assertThat(Unpacking.complete(folder)).isTrue();
        assertThat(folder.resolve("half")).doesNotExist();
    }

    @Test
    void what_a_killed_process_left_is_removed_and_what_a_living_one_fills_is_kept() throws Exception {
        Process killed = new ProcessBuilder("true").start();
        assertThat(killed.waitFor(10, TimeUnit.SECONDS)).isTrue();
        String host = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        Path left = Files.createDirectories(temp.resolve("natives/key.new-" + host + "-" + killed.pid() + "-1"));
        Path alive = Files.createDirectories(temp.resolve(
                "natives/key.new-" + host + "-" + ProcessHandle.current().pid() + "-2"));
        Path elsewhere = Files.createDirectories(temp.resolve("natives/key.new-other" + host + "-1-3"));
        Unpacking.into(folder, SMALL);
        assertThat(left).doesNotExist();
        assertThat(alive).exists();
        assertThat(elsewhere).exists();
    }

    @Test
    void failure_leaves_nothing_and_says_where_to_unpack_instead() throws IOException {
        Path file = Files.createFile(temp.resolve("natives"));
        assertThatThrownBy(() -> Unpacking.into(file.resolve("key"), SMALL))
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault()).isEqualTo(Fault.OUTPUT))
                .hasMessageContaining("JDIFF_CACHE_DIR");
        try (Stream<Path> left = Files.list(temp)) {
            assertThat(left).containsExactly(file);
        }
    }

    @Test
    void jars_on_the_class_path_have_one_key() throws IOException {
        assertThat(Natives.marker()).isEqualTo(Natives.marker()).hasFileName("complete");
        NativeJar jar = NativeJar.holding(SMALL.get(0).resource());
        assertThat(jar).isNotNull();
        assertThat(jar.path()).isRegularFile();
        assertThat(NativeJar.holding("no/such/resource")).isNull();
    }
}
