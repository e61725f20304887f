package jdiff.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HubCacheTest {
    @TempDir
    Path dir;

    @Test
    void a_hub_id_is_the_snapshot_that_refs_main_names() throws IOException {
        Path entry = dir.resolve("hub").resolve("models--Qwen--Qwen-Image");
        Path snapshot = Files.createDirectories(entry.resolve("snapshots").resolve("abc123"));
        Files.createDirectories(entry.resolve("refs"));
        Files.writeString(entry.resolve("refs").resolve("main"), "abc123\n");
        assertThat(HubCache.resolve("Qwen/Qwen-Image", Map.of("HF_HOME", dir.toString())::get))
                .isEqualTo(snapshot);
        assertThat(HubCache.resolve(
                        "Qwen/Qwen-Image",
                        Map.of(
                                "HF_HOME",
                                "/nowhere",
                                "HF_HUB_CACHE",
                                dir.resolve("hub").toString())::get))
                .isEqualTo(snapshot);
    }

    @Test
    void what_is_not_there_is_told_with_the_places_searched() {
        assertThatThrownBy(() -> HubCache.resolve("a/b", Map.of("HF_HUB_CACHE", dir.toString())::get))
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault()).isEqualTo(Fault.NO_INPUT))
                .hasMessageContaining(dir.resolve("models--a--b").toString())
                .hasMessageContaining("hf download a/b");
    }

    @Test
    void a_reference_that_is_no_plain_name_is_refused() throws IOException {
        Path refs = Files.createDirectories(dir.resolve("models--a--b").resolve("refs"));
        Files.writeString(refs.resolve("main"), "../../..");
        assertThatThrownBy(() -> HubCache.resolve("a/b", Map.of("HF_HUB_CACHE", dir.toString())::get))
                .hasMessageContaining("wanted the name of a snapshot");
    }

    @Test
    void ids_are_told_from_paths() {
        assertThat(HubCache.isId("Qwen/Qwen-Image")).isTrue();
        assertThat(HubCache.isId("/models/x")).isFalse();
        assertThat(HubCache.isId("a/b/c")).isFalse();
        assertThat(HubCache.isId("../b")).isFalse();
        assertThat(HubCache.isId("model")).isFalse();
        assertThatThrownBy(() -> ModelFolder.open("no such folder"))
                .hasMessageContaining("no such folder; wanted a model folder or a hub id owner/name");
        assertThatThrownBy(() -> ModelFolder.open("/etc/hostname")).hasMessageContaining("is a file, wanted a model");
    }
}
