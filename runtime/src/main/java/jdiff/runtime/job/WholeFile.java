package jdiff.runtime.job;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** A text file that appears under its name whole or not at all: written beside it, synced, then renamed. */
final class WholeFile implements AutoCloseable {
    private final Path file;
    private final Path temporary;
    private final FileChannel channel;
    private final Writer writer;
    private boolean done;

    /** Writes the content. */
    @FunctionalInterface
    interface Body {
        void write(Writer out) throws IOException;
    }

    WholeFile(Path file) throws IOException {
        this.file = file;
        this.temporary = file.resolveSibling(
                "." + file.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
        this.channel = FileChannel.open(
                temporary, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
        this.writer = new BufferedWriter(
                new OutputStreamWriter(Channels.newOutputStream(channel), StandardCharsets.UTF_8), 64 << 10);
    }

    static void write(Path file, Body body) throws IOException {
        try (WholeFile whole = new WholeFile(file)) {
            body.write(whole.writer());
            whole.commit();
        }
    }

    Writer writer() {
        return writer;
    }

    /** Gives the file its name. Without this call, closing it leaves nothing behind. */
    void commit() throws IOException {
        writer.flush();
        channel.force(true);
        channel.close();
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        done = true;
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
                directory.force(true);
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
        if (!done) {
            Files.deleteIfExists(temporary);
        }
    }

    /** Why the operation failed, without the name of the temporary file. */
    static String reason(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "no permission";
        }
        if (e instanceof NoSuchFileException) {
            return "no such folder";
        }
        String reason = e instanceof FileSystemException system ? system.getReason() : e.getMessage();
        return reason == null ? e.getClass().getSimpleName() : reason;
    }
}
