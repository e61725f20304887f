package jdiff.runtime.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import jdiff.runtime.image.PngCheck;
import jdiff.runtime.safetensors.SafetensorsFile;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputTest {
    @TempDir
    Path dir;

    @Test
    void a_picture_is_saved_as_png() throws IOException {
        Path file = dir.resolve("a.png");
        new Picture(1, 2, 3, new byte[18]).save(file, Map.of("seed", "1"));
        PngCheck.verify(file);
        assertThat(file).binaryContent().contains("tEXtseed".getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void latents_are_saved_as_safetensors_with_metadata() throws IOException {
        Path file = dir.resolve("a.safetensors");
        Scope.<Latents>tidy(() -> Latents.of(Tensor.of(new float[] {1, 2}, 1, 2), 7))
                .save(file, Map.of("seed", "7"));
        SafetensorsFile saved = SafetensorsFile.open(file);
        assertThat(saved.entries().get("latents")).hasToString("latents F32[1, 2]");
        assertThat(saved.metadata()).containsExactly(Map.entry("seed", "7"));
    }
}
