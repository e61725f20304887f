package jdiff.runtime.weights;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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
        byte[] header = header(tensors, metadata).getBytes(StandardCharsets.UTF_8);
        int padded = (header.length + 7) / 8 * 8;
        byte[] json = Arrays.copyOf(header, padded);
        Arrays.fill(json, header.length, padded, (byte) ' ');
        out.write(ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(padded)
                .array());
        out.write(json);
        WritableByteChannel channel = Channels.newChannel(out);
        for (Tensor tensor : tensors.values()) {
            try (Scope scope = Scope.keep()) {
                Tensor flat = scope.hold(() -> tensor.to(Device.CPU).contiguous());
                long bytes = flat.numel() * flat.dtype().sizeBytes();
                for (long at = 0; at < bytes; at += CHUNK_BYTES) {
                    ByteBuffer chunk = flat.buffer(at, (int) Math.min(CHUNK_BYTES, bytes - at));
                    while (chunk.hasRemaining()) {
                        channel.write(chunk);
                    }
                }
            }
        }
    }

    private static String header(Map<String, Tensor> tensors, Map<String, String> metadata) {
        return Json.write(json -> {
            json.writeStartObject();
            if (!metadata.isEmpty()) {
                json.writeObjectFieldStart("__metadata__");
                for (Map.Entry<String, String> entry : metadata.entrySet()) {
                    json.writeStringField(entry.getKey(), entry.getValue());
                }
                json.writeEndObject();
            }
            long at = 0;
            for (Map.Entry<String, Tensor> entry : tensors.entrySet()) {
                Tensor tensor = entry.getValue();
                long end = at + tensor.numel() * tensor.dtype().sizeBytes();
                json.writeObjectFieldStart(entry.getKey());
                json.writeStringField("dtype", StoredType.of(tensor.dtype()).name());
                json.writeFieldName("shape");
                json.writeArray(tensor.shape(), 0, tensor.dim());
                json.writeFieldName("data_offsets");
                json.writeArray(new long[] {at, end}, 0, 2);
                json.writeEndObject();
                at = end;
            }
            json.writeEndObject();
        });
    }
}
