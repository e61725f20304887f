package jdiff.runtime.natives;

import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** A jar that holds native libraries, told from another version of itself without reading it whole. */
record NativeJar(Path path) {
    private static final int END_RECORD = 22;
    private static final int END_SIGNATURE = 0x06054b50;
    private static final int MAX_TAIL = 1 << 20;

    /** The jar on the class path that holds this resource, or null. */
    static @Nullable NativeJar holding(String resource) throws IOException {
        URL url = NativeJar.class.getClassLoader().getResource(resource);
        if (url == null) {
            return null;
        }
        String text = url.toString();
        if (!text.startsWith("jar:file:") || !text.endsWith("!/" + resource)) {
            throw new IOException(resource + " must lie in a jar, but is at " + url);
        }
        return new NativeJar(
                Path.of(URI.create(text.substring("jar:".length(), text.length() - resource.length() - 2))));
    }

    /** Adds name, size and central directory: sizes and checksums of all entries stand there. */
    void addTo(MessageDigest digest) throws IOException {
        digest.update(path.getFileName().toString().getBytes(StandardCharsets.UTF_8));
        digest.update(ByteBuffer.allocate(Long.BYTES).putLong(Files.size(path)).flip());
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            digest.update(read(file, directoryStart(file)));
        }
    }

    private static long directoryStart(FileChannel file) throws IOException {
        long size = file.size();
        ByteBuffer tail = read(file, Math.max(0, size - END_RECORD - 0xffff));
        for (int at = tail.limit() - END_RECORD; at >= 0; at--) {
            if (tail.getInt(at) == END_SIGNATURE) {
                long start = Integer.toUnsignedLong(tail.getInt(at + 16));
                if (start < size) {
                    return start;
                }
                break;
            }
        }
        // Over 4 GB the number stands elsewhere; the end of a jar that big tells it from others well enough.
        return Math.max(0, size - MAX_TAIL);
    }

    private static ByteBuffer read(FileChannel file, long start) throws IOException {
        ByteBuffer bytes =
                ByteBuffer.allocate(Math.toIntExact(file.size() - start)).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            if (file.read(bytes, start + bytes.position()) < 0) {
                throw new EOFException("the file became shorter while it was read");
            }
        }
        return bytes.flip();
    }
}
