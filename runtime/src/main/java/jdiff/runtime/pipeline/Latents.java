package jdiff.runtime.pipeline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * The denoised latents as the transformer left them, packed and before any scaling of the decoder.
 *
 * @param safetensors the complete file with the one tensor {@code latents}
 */
public record Latents(long seed, byte[] safetensors) implements Output {
    @Override
    public String extension() {
        return OutputType.LATENT.extension();
    }

    @Override
    public void save(Path file, Map<String, String> metadata) throws IOException {
        throw new UnsupportedOperationException();
    }
}
