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
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.pipeline.ComponentDTypes;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.weights.SafetensorsFile;
import jdiff.runtime.weights.TensorEntry;
import org.jspecify.annotations.Nullable;

/**
 * How much memory a worker will need, from the headers of the weight files alone.
 *
 * @param weightBytes component to bytes, in the dtypes asked for
 */
record MemoryEstimate(Map<String, Long> weightBytes) {
    /** A JVM with libtorch that has loaded nothing. */
    static final long BARE_WORKER_BYTES = 300L << 20;

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
        return new MemoryEstimate(bytes);
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

    /** The size as people read it. */
    static String shown(long bytes) {
        if (bytes < 10L << 30) {
            return Math.round(bytes / 1e6) + " MB";
        }
        return String.format(Locale.ROOT, "%.1f GB", bytes / 1e9);
    }
}
