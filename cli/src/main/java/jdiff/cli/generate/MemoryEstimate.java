package jdiff.cli.generate;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jdiff.runtime.config.Config;
import jdiff.runtime.config.ModelFolder;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.pipeline.ComponentDTypes;
import jdiff.runtime.pipeline.ModelPlan;
import jdiff.runtime.tensor.DType;

/**
 * How much memory a worker will need, from a plan alone.
 *
 * @param weightBytes component to bytes, in the dtypes asked for
 * @param apartBytes of the components that are in memory together, where the text encoder is freed before the others come
 * @param decoderChannels of the decoder's last and largest layers
 * @param decoderElementBytes size of one number there
 */
record MemoryEstimate(
        Map<String, Long> weightBytes, List<Long> apartBytes, int decoderChannels, int decoderElementBytes) {
    /** A JVM with libtorch that has loaded nothing. */
    private static final long BARE_WORKER_BYTES = 300L << 20;

    /** Tensors of full size and {@code base_dim} channels that the decoder holds at its worst moment, as measured. */
    private static final long DECODER_TENSORS = 8;

    private static final int QWEN_IMAGE_BASE_DIM = 96;
    private static final String VAE = "vae";

    /**
     * Adds up the plan of a model.
     *
     * @throws FaultException if the decoder's config cannot be read
     */
    static MemoryEstimate of(ModelPlan plan, Path model, ComponentDTypes dtypes) throws FaultException {
        Map<String, Long> bytes = new LinkedHashMap<>();
        plan.components().forEach(c -> bytes.put(c.name(), c.weights().memoryBytes()));
        DType decoder = dtypes.byComponent().getOrDefault(VAE, dtypes.general());
        Config config = Config.read(ModelFolder.open(model).sub(VAE).file("config.json"));
        return new MemoryEstimate(
                bytes,
                plan.phases(true).stream()
                        .map(phase -> phase.stream()
                                .mapToLong(c -> c.weights().memoryBytes())
                                .sum())
                        .toList(),
                config.integer("base_dim", QWEN_IMAGE_BASE_DIM),
                decoder == null ? DType.F32.sizeBytes() : decoder.sizeBytes());
    }

    long totalBytes() {
        return weightBytes.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * What a worker needs at most for pictures of that many pixels; not exact.
     *
     * @param apart whether the text encoder is gone before the others come
     */
    long workerBytes(long pixels, boolean apart) {
        long decoding = DECODER_TENSORS * pixels * decoderChannels * decoderElementBytes;
        if (!apart) {
            return BARE_WORKER_BYTES + totalBytes() + decoding;
        }
        long most = apartBytes.stream().mapToLong(Long::longValue).max().orElse(0);
        long last = apartBytes.isEmpty() ? 0 : apartBytes.get(apartBytes.size() - 1);
        return BARE_WORKER_BYTES + Math.max(most, last + decoding);
    }
}
