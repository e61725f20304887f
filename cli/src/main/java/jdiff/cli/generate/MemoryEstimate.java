package jdiff.cli.generate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import jdiff.runtime.config.Config;
import jdiff.runtime.config.ModelFolder;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.pipeline.ComponentDTypes;
import jdiff.runtime.safetensors.SafetensorsFile;
import jdiff.runtime.safetensors.TensorEntry;
import jdiff.runtime.tensor.DType;
import org.jspecify.annotations.Nullable;

/**
 * How much memory a worker will need, from the headers of the weight files alone.
 *
 * @param weightBytes component to bytes, in the dtypes asked for
 * @param decoderChannels of the decoder's last and largest layers
 * @param decoderElementBytes size of one number there
 */
record MemoryEstimate(Map<String, Long> weightBytes, int decoderChannels, int decoderElementBytes) {
    /** A JVM with libtorch that has loaded nothing. */
    private static final long BARE_WORKER_BYTES = 300L << 20;

    /** Tensors of full size and {@code base_dim} channels that the decoder holds at its worst moment, as measured. */
    private static final long DECODER_TENSORS = 8;

    private static final int QWEN_IMAGE_BASE_DIM = 96;
    private static final String VAE = "vae";

    /**
     * Reads all headers.
     *
     * @throws FaultException if a file is damaged
     */
    static MemoryEstimate of(Path model, ComponentDTypes dtypes) throws FaultException {
        Map<String, Long> bytes = new TreeMap<>();
        for (Path file : weightFiles(model)) {
            String component = String.valueOf(model.relativize(file).getName(0));
            DType dtype = dtypes.byComponent().containsKey(component)
                    ? dtypes.byComponent().get(component)
                    : dtypes.general();
            long sum = 0;
            for (TensorEntry entry : SafetensorsFile.open(file).entries().values()) {
                sum += bytes(entry, dtype);
            }
            bytes.merge(component, sum, Long::sum);
        }
        DType decoder = dtypes.byComponent().getOrDefault(VAE, dtypes.general());
        Config config = Config.read(ModelFolder.open(model).sub(VAE).file("config.json"));
        return new MemoryEstimate(
                bytes,
                config.integer("base_dim", QWEN_IMAGE_BASE_DIM),
                decoder == null ? DType.F32.sizeBytes() : decoder.sizeBytes());
    }

    private static List<Path> weightFiles(Path model) throws FaultException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.walk(model, 2)) {
            all.filter(path ->
                            path.toString().endsWith(".safetensors") && path.getNameCount() == model.getNameCount() + 2)
                    .sorted()
                    .forEach(files::add);
        } catch (IOException e) {
            throw new FaultException(Fault.NO_INPUT, model + ": cannot be listed: " + e.getMessage(), e);
        }
        return files;
    }

    private static long bytes(TensorEntry entry, @Nullable DType dtype) {
        long stored = entry.bytes();
        long bits = entry.type().bits();
        boolean floating = entry.type().name().matches("B?F[0-9].*");
        return dtype == null || !floating ? stored : stored * 8 / bits * dtype.sizeBytes();
    }

    long totalBytes() {
        return weightBytes.values().stream().mapToLong(Long::longValue).sum();
    }

    /** What a worker needs at most for pictures of that many pixels; not exact. */
    long workerBytes(long pixels) {
        return BARE_WORKER_BYTES + totalBytes() + DECODER_TENSORS * pixels * decoderChannels * decoderElementBytes;
    }

    /** The size as people read it. */
    static String shown(long bytes) {
        if (bytes < 10L << 30) {
            return Math.round(bytes / 1e6) + " MB";
        }
        return String.format(Locale.ROOT, "%.1f GB", bytes / 1e9);
    }
}
