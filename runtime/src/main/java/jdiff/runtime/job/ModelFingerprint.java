package jdiff.runtime.job;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import jdiff.runtime.config.Digests;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.safetensors.SafetensorsFile;

/**
 * Tells models apart without reading their weights: SHA-256 over names, sizes and headers of all safetensors files and over the
 * content of all configuration and tokenizer files of a model folder and its components.
 */
public final class ModelFingerprint {
    private static final String WEIGHTS = ".safetensors";
    private static final List<String> CONFIGS = List.of(".json", ".txt", ".model", ".jinja");

    private ModelFingerprint() {}

    /** The fingerprint of {@code folder}, 64 hexadecimal digits. */
    public static String of(Path folder) throws FaultException {
        MessageDigest digest = Digests.sha256();
        for (Path file : files(folder)) {
            String name = folder.relativize(file).toString();
            try {
                String line = name + ' ' + content(file);
                digest.update((line + '\n').getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new FaultException(Fault.NO_INPUT, file + ": cannot be read: " + e.getMessage(), e);
            }
        }
        return Digests.hex(digest);
    }

    /** The files that count, sorted; components may be links to folders. */
    private static List<Path> files(Path folder) throws FaultException {
        List<Path> files = new ArrayList<>();
        for (Path entry : entries(folder)) {
            files.addAll(Files.isDirectory(entry) ? entries(entry) : List.of(entry));
        }
        files.removeIf(file -> !counts(file.toString()));
        Collections.sort(files);
        return files;
    }

    private static List<Path> entries(Path folder) throws FaultException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.toList();
        } catch (IOException e) {
            throw new FaultException(Fault.NO_INPUT, folder + ": cannot be listed: " + e.getMessage(), e);
        }
    }

    private static String content(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            return "none"; // A broken link, or a pipe, which would block: whoever needs the file says so.
        }
        return file.toString().endsWith(WEIGHTS) ? Files.size(file) + " " + header(file) : Digests.sha256(file);
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
