package jdiff.runtime.weights;

import com.fasterxml.jackson.core.JsonToken;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import jdiff.runtime.config.JsonReader;
import jdiff.runtime.config.PlainName;
import jdiff.runtime.config.Shown;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.safetensors.SafetensorsFile;
import org.jspecify.annotations.Nullable;

/**
 * An index file: which shard holds which tensor.
 *
 * @param shardOf tensor name to file name, in the order of the index
 * @param totalSize {@code metadata.total_size} as it stands there, null where it is absent or no integer
 */
record WeightIndex(
        Path file, Map<String, String> shardOf, @Nullable String totalSize) {
    /** Reads {@code {"metadata": {"total_size": int}, "weight_map": {tensor: shard}}}; the metadata may be absent. */
    static WeightIndex read(Path file) throws FaultException {
        return read(file, JsonReader.open(file, JsonReader.LARGE));
    }

    static WeightIndex read(Path file, JsonReader in) throws FaultException {
        Map<String, String> shardOf = null;
        String totalSize = null;
        in.expect(JsonToken.START_OBJECT, "an object with weight_map");
        while (in.more()) {
            switch (in.text()) {
                case "weight_map" -> shardOf = weightMap(in);
                case "metadata" -> totalSize = totalSize(in);
                default -> in.skipNext();
            }
        }
        in.end();
        if (shardOf == null) {
            throw in.error("weight_map is missing");
        }
        return new WeightIndex(file, shardOf, totalSize);
    }

    /** The shards in the order in which the index names them first. */
    Set<String> shards() {
        return new LinkedHashSet<>(shardOf.values());
    }

    private static Map<String, String> weightMap(JsonReader in) throws FaultException {
        var shardOf = new LinkedHashMap<String, String>();
        Map<String, String> seen = new LinkedHashMap<>();
        in.expect(JsonToken.START_OBJECT, "weight_map to be an object of file names");
        while (in.more()) {
            String tensor = in.text();
            String shard = in.string("the file that holds " + Shown.cut(tensor, 80));
            if (!PlainName.isPlain(shard)) {
                throw in.error("weight_map: \"" + Shown.cut(shard, 200)
                        + "\" is not a plain file name (letters, digits, '_', '.', '-')");
            }
            if (shardOf.size() >= SafetensorsFile.MAX_TENSORS) {
                throw in.error("weight_map names more than " + SafetensorsFile.MAX_TENSORS + " tensors");
            }
            // Thousands of tensors share a few shard names.
            shardOf.put(tensor, seen.computeIfAbsent(shard, s -> s));
        }
        return shardOf;
    }

    private static @Nullable String totalSize(JsonReader in) throws FaultException {
        String total = null;
        if (in.next() != JsonToken.START_OBJECT) {
            in.skipCurrent();
            return null;
        }
        while (in.more()) {
            boolean wanted = in.text().equals("total_size");
            boolean integer = in.next() == JsonToken.VALUE_NUMBER_INT;
            if (wanted && integer) {
                total = Shown.cut(in.text(), 40);
            }
            in.skipCurrent();
        }
        return total;
    }
}
