package jdiff.runtime.pipeline;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.weights.SafetensorsWriter;

/**
 * The denoised latents as the transformer left them, packed and before any scaling of the decoder.
 *
 * @param safetensors the complete file with the one tensor {@code latents}
 */
public record Latents(long seed, byte[] safetensors) implements Output {
    static Latents of(Tensor latents, long seed) {
        var bytes = new ByteArrayOutputStream();
        try {
            SafetensorsWriter.write(bytes, Map.of("latents", latents), Map.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail
        }
        return new Latents(seed, bytes.toByteArray());
    }

    @Override
    public String extension() {
        return OutputType.LATENT.extension();
    }

    @Override
    public void save(Path file, Map<String, String> metadata) throws IOException {
        throw new UnsupportedOperationException();
    }
}
