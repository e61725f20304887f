package jdiff.runtime.job;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Lines that wait on disk until they are wanted, so that their number costs no memory. The file has no name: whatever ends this
 * process, nothing is left behind.
 */
final class Spool implements Closeable {
    private final FileChannel channel;
    private final OutputStream out;

    /** A spool on the file system of {@code folder}. */
    Spool(Path folder) throws IOException {
        Path file = Files.createTempFile(folder, ".lines-", ".tmp");
        try {
            channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } finally {
            Files.delete(file);
        }
        out = new BufferedOutputStream(Channels.newOutputStream(channel), 64 << 10);
    }

    void add(String line) throws IOException {
        out.write(line.getBytes(StandardCharsets.UTF_8));
        out.write('\n');
    }

    /** Writes all lines, in the order in which they were added. */
    void copyTo(OutputStream target) throws IOException {
        out.flush();
        channel.position(0);
        Channels.newInputStream(channel).transferTo(target);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
