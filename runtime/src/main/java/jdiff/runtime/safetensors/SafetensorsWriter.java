package jdiff.runtime.safetensors;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import jdiff.runtime.config.Json;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;

/** Writes tensors in the safetensors format: deterministic bytes, data aligned to 8, in the order of the map. */
public final class SafetensorsWriter {
    private static final int CHUNK_BYTES = 16 << 20;

    private SafetensorsWriter() {}

    /**
     * Writes one file's content to {@code out}.
     *
     * @param tensors any dtype and device; names in the order of the file
     * @param metadata free text for the header; may be empty
     */
    public static void write(OutputStream out, Map<String, Tensor> tensors, Map<String, String> metadata)
            throws IOException {
        var entries = new ArrayList<TensorEntry>();
        long at = 0;
        for (Map.Entry<String, Tensor> named : tensors.entrySet()) {
            Tensor tensor = named.getValue();
            long bytes = tensor.numel() * tensor.dtype().sizeBytes();
            entries.add(new TensorEntry(named.getKey(), StoredType.of(tensor.dtype()), tensor.shape(), at, bytes));
            at += bytes;
        }
        writeHeader(out, entries, metadata);
        WritableByteChannel channel = Channels.newChannel(out);
        for (Tensor tensor : tensors.values()) {
            try (Scope scope = Scope.keep()) {
                Tensor flat = scope.hold(() -> tensor.to(Device.CPU).contiguous());
                long bytes = flat.numel() * flat.dtype().sizeBytes();
                for (long done = 0; done < bytes; done += CHUNK_BYTES) {
                    ByteBuffer chunk = flat.buffer(done, (int) Math.min(CHUNK_BYTES, bytes - done));
                    while (chunk.hasRemaining()) {
                        channel.write(chunk);
                    }
                }
            }
        }
    }

    /** Writes a file with one tensor, whose little-endian bytes are at hand. */
    public static void write(
            OutputStream out, String name, StoredType type, long[] shape, byte[] data, Map<String, String> metadata)
            throws IOException {
        writeHeader(out, List.of(new TensorEntry(name, type, shape, 0, data.length)), metadata);
        out.write(data);
    }

    private static void writeHeader(OutputStream out, List<TensorEntry> entries, Map<String, String> metadata)
            throws IOException {
        byte[] header = header(entries, metadata).getBytes(StandardCharsets.UTF_8);
        int padded = (header.length + 7) / 8 * 8;
        byte[] json = Arrays.copyOf(header, padded);
        Arrays.fill(json, header.length, padded, (byte) ' ');
        out.write(ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(padded)
                .array());
        out.write(json);
    }

    private static String header(List<TensorEntry> entries, Map<String, String> metadata) {
        return Json.write(json -> {
            json.writeStartObject();
            if (!metadata.isEmpty()) {
                json.writeObjectFieldStart("__metadata__");
                for (Map.Entry<String, String> entry : metadata.entrySet()) {
                    json.writeStringField(entry.getKey(), entry.getValue());
                }
                json.writeEndObject();
            }
            for (TensorEntry entry : entries) {
                long[] shape = entry.shape();
                json.writeObjectFieldStart(entry.name());
                json.writeStringField("dtype", entry.type().name());
                json.writeFieldName("shape");
                json.writeArray(shape, 0, shape.length);
                json.writeFieldName("data_offsets");
                json.writeArray(new long[] {entry.begin(), entry.begin() + entry.bytes()}, 0, 2);
                json.writeEndObject();
            }
            json.writeEndObject();
        });
    }
}
