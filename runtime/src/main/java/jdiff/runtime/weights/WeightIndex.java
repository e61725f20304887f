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

/**
 * An index file: which shard holds which tensor.
 *
 * @param shardOf tensor name to file name, in the order of the index
 * @param totalBytes {@code metadata.total_size}, or -1 where it is absent
 */
record WeightIndex(Path file, Map<String, String> shardOf, long totalBytes) {
    /** Reads {@code {"metadata": {"total_size": int}, "weight_map": {tensor: shard}}}; the metadata may be absent. */
    static WeightIndex read(Path file) throws FaultException {
        return read(file, JsonReader.open(file, JsonReader.LARGE));
    }

    static WeightIndex read(Path file, JsonReader in) throws FaultException {
        Map<String, String> shardOf = null;
        long totalBytes = -1;
        in.expect(JsonToken.START_OBJECT, "an object with weight_map");
        while (in.more()) {
            switch (in.text()) {
                case "weight_map" -> shardOf = weightMap(in);
                case "metadata" -> totalBytes = totalBytes(in);
                default -> in.skipNext();
            }
        }
        in.end();
        if (shardOf == null) {
            throw in.error("weight_map is missing");
        }
        return new WeightIndex(file, shardOf, totalBytes);
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

    private static long totalBytes(JsonReader in) throws FaultException {
        long total = -1;
        if (in.next() != JsonToken.START_OBJECT) {
            in.skipCurrent();
            return total;
        }
        while (in.more()) {
            boolean wanted = in.text().equals("total_size");
            boolean integer = in.next() == JsonToken.VALUE_NUMBER_INT;
            if (wanted && integer && in.text().length() <= 18) {
                total = Long.parseLong(in.text());
            }
            in.skipCurrent();
        }
        return total;
    }
}
