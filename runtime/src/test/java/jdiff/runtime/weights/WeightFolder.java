package jdiff.runtime.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.StringJoiner;
import jdiff.runtime.config.ModelFolder;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A folder of small weight files that a test fills and opens. */
record WeightFolder(Path dir, String stem) {
    /** Writes a file whose tensors are one byte each. */
    void file(String name, String... tensors) throws IOException {
        var json = new StringJoiner(",", "{", "}");
        for (int i = 0; i < tensors.length; i++) {
            json.add(
                    "\"%s\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[%d,%d]}".formatted(tensors[i], i, i + 1));
        }
        byte[] header = json.toString().getBytes(StandardCharsets.UTF_8);
        Files.createDirectories(dir);
        Files.write(
                dir.resolve(name),
                ByteBuffer.allocate(8 + header.length + tensors.length)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(header.length)
                        .put(header)
                        .array());
    }

    /** Writes an index; {@code entries} are of the form {@code tensor=shard}. */
    void index(String name, String... entries) throws IOException {
        var map = new StringJoiner(",", "{\"weight_map\":{", "}}");
        for (String entry : entries) {
            map.add("\"" + entry.replace("=", "\":\"") + "\"");
        }
        Files.createDirectories(dir);
        Files.writeString(dir.resolve(name), map.toString());
    }

    Variants.Component component(String name) throws FaultException {
        return new Variants.Component(name, ModelFolder.open(dir), stem);
    }

    Checkpoint open(String variant) throws FaultException {
        return open(variant, false);
    }

    Checkpoint open(String variant, boolean strict) throws FaultException {
        return Checkpoint.open(
                Variants.choose(List.of(component("unet")), variant).get("unet"), strict);
    }

    static void refused(ThrowingCallable call, Fault fault, String... messages) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault()).isEqualTo(fault))
                .hasMessageContainingAll(messages);
    }
}
