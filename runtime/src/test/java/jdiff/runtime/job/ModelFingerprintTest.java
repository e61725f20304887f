package jdiff.runtime.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ModelFingerprintTest {
    @TempDir
    private Path folder;

    private Path model;

    private String fingerprint() throws IOException {
        return ModelFingerprint.of(model);
    }

    @Test
    void configs_and_headers_count_also_behind_a_link_to_a_component() throws IOException {
        model = Files.createDirectory(folder.resolve("model"));
        Path elsewhere = Files.createDirectory(folder.resolve("vae"));
        Files.createSymbolicLink(model.resolve("vae"), elsewhere);
        Files.writeString(elsewhere.resolve("config.json"), "{}");
        String first = fingerprint();
        Files.writeString(elsewhere.resolve("notes.md"), "not part of the model");
        assertThat(fingerprint()).isEqualTo(first);
        Files.writeString(elsewhere.resolve("config.json"), "{ }");
        assertThat(fingerprint()).isNotEqualTo(first);
    }

    /** The loader says what is wrong with them; a pipe would block whoever opens it. */
    @Test
    @Timeout(30)
    void pipes_and_broken_links_are_not_opened() throws IOException, InterruptedException {
        model = Files.createDirectory(folder.resolve("model"));
        Files.createSymbolicLink(model.resolve("a.safetensors"), folder.resolve("none"));
        Path pipe = model.resolve("b.safetensors");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        assertThat(fingerprint()).hasSize(64);
    }
}
