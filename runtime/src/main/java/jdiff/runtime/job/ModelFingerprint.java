package jdiff.runtime.job;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import java.util.stream.Stream;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.weights.SafetensorsFile;

/**
 * Tells models apart without reading their weights: SHA-256 over names, sizes and headers of all safetensors files and over the
 * content of all configuration and tokenizer files of a model folder and its components.
 */
public final class ModelFingerprint {
    private static final String WEIGHTS = ".safetensors";
    private static final List<String> CONFIGS = List.of(".json", ".txt", ".model", ".jinja");
    /** A component lies one folder below the model. */
    private static final int DEPTH = 2;

    private ModelFingerprint() {}

    /** The fingerprint of {@code folder}, 64 hexadecimal digits. */
    public static String of(Path folder) throws FaultException {
        List<Path> files;
        try (Stream<Path> all = Files.find(folder, DEPTH, (path, attributes) -> counts(path.toString()))) {
            files = all.sorted().toList();
        } catch (IOException e) {
            throw new FaultException(Fault.NO_INPUT, folder + ": cannot be listed: " + e.getMessage(), e);
        }
        MessageDigest digest = Digests.sha256();
        for (Path file : files) {
            String name = folder.relativize(file).toString();
            try {
                String line = name.endsWith(WEIGHTS)
                        ? name + ' ' + Files.size(file) + ' ' + header(file)
                        : name + ' ' + Digests.sha256(file);
                digest.update((line + '\n').getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new FaultException(Fault.NO_INPUT, file + ": cannot be read: " + e.getMessage(), e);
            }
        }
        return Digests.hex(digest);
    }

    private static boolean counts(String name) {
        return name.endsWith(WEIGHTS) || CONFIGS.stream().anyMatch(name::endsWith);
    }

    private static String header(Path file) throws IOException {
        MessageDigest digest = Digests.sha256();
        try (InputStream in = Files.newInputStream(file)) {
            byte[] start = in.readNBytes(Long.BYTES);
            digest.update(start);
            long length = start.length < Long.BYTES
                    ? 0
                    : ByteBuffer.wrap(start).order(ByteOrder.LITTLE_ENDIAN).getLong();
            byte[] buffer = new byte[64 << 10];
            // A longer header is refused by the weights reader, with all that is to say.
            for (long left = length < 0 ? 0 : Math.min(length, SafetensorsFile.MAX_HEADER_BYTES); left > 0; ) {
                int n = in.read(buffer, 0, (int) Math.min(left, buffer.length));
                if (n < 0) {
                    break;
                }
                digest.update(buffer, 0, n);
                left -= n;
            }
        }
        return Digests.hex(digest);
    }
}
