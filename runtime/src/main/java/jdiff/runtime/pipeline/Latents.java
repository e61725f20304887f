package jdiff.runtime.pipeline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import jdiff.runtime.image.AtomicFile;
import jdiff.runtime.safetensors.SafetensorsFile;
import jdiff.runtime.safetensors.SafetensorsWriter;
import jdiff.runtime.safetensors.StoredType;
import jdiff.runtime.tensor.Tensor;

/**
 * The denoised latents as the transformer left them, packed and before any scaling of the decoder. Saved as a safetensors file
 * with the one tensor {@code latents}.
 *
 * @param data elements, row by row, little-endian
 */
public record Latents(long seed, StoredType type, long[] shape, byte[] data) implements Output {
    static Latents of(Tensor latents, long seed) {
        return new Latents(seed, StoredType.of(latents.dtype()), latents.shape(), latents.toBytes());
    }

    @Override
    public String extension() {
        return OutputType.LATENT.extension();
    }

    @Override
    public void save(Path file, Map<String, String> metadata) throws IOException {
        AtomicFile.write(
                file,
                out -> SafetensorsWriter.write(out, "latents", type, shape, data, metadata),
                SafetensorsFile::open);
    }
}
