package jdiff.runtime.image;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;

/** Reads a PNG file back: the signature, the checksum of every chunk, and the end marker as the last bytes. */
public final class PngCheck {
    private static final long SIGNATURE = 0x89504e470d0a1a0aL;

    private PngCheck() {}

    /**
     * Reads all of {@code file}.
     *
     * @throws IOException saying what is wrong with it
     */
    public static void verify(Path file) throws IOException {
        try (var in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
            if (in.readLong() != SIGNATURE) {
                throw new IOException("what was written is not a PNG");
            }
            String type = "";
            byte[] buffer = new byte[1 << 16];
            while (!type.equals("IEND")) {
                type = chunk(in, buffer);
            }
            if (in.read() >= 0) {
                throw new IOException("what was written goes on behind the end of the PNG");
            }
        } catch (EOFException e) {
            throw new IOException("what was written ends in the middle of the PNG", e);
        }
    }

    private static String chunk(DataInputStream in, byte[] buffer) throws IOException {
        int left = in.readInt();
        byte[] name = new byte[4];
        in.readFully(name);
        String type = new String(name, StandardCharsets.US_ASCII);
        if (left < 0) {
            throw new IOException("what was written has a broken chunk " + type);
        }
        var crc = new CRC32();
        crc.update(name);
        while (left > 0) {
            int length = Math.min(left, buffer.length);
            in.readFully(buffer, 0, length);
            crc.update(buffer, 0, length);
            left -= length;
        }
        if (in.readInt() != (int) crc.getValue()) {
            throw new IOException("what was written has a wrong checksum in chunk " + type);
        }
        return type;
    }
}
