package jdiff.runtime.image;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;

/**
 * Files that appear under their name whole or not at all, also when the machine stops in between: written beside the final name,
 * verified, synced, renamed over it, and the folder synced. On any error the temporary file is deleted and the old file, if there
 * was one, is untouched.
 */
public final class AtomicFile {
    /** Part of temporary names: unique among all processes that may write to a folder of this host. */
    private static final String OWNER = Long.toString(ProcessHandle.current().pid());

    private AtomicFile() {}

    /** Writes the content. */
    @FunctionalInterface
    public interface Content {
        void write(OutputStream out) throws IOException;
    }

    /** Looks at the finished temporary file before it gets its name; throws if it is not what was meant. */
    @FunctionalInterface
    public interface Check {
        void verify(Path written) throws IOException;
    }

    /** A check that finds everything in order. */
    public static final Check UNCHECKED = written -> {};

    /**
     * Writes {@code file}, which no other thread may write at the same time.
     *
     * @param content writes to a buffered stream; it need not close it
     * @throws FaultException OUTPUT naming the file, the reason and the free bytes
     */
    public static void write(Path file, Content content, Check check) throws FaultException {
        write(file, file, content, check);
    }

    /** {@code shown} stands for the file in errors. */
    private static void write(Path file, Path shown, Content content, Check check) throws FaultException {
        Path temporary = file.resolveSibling("." + file.getFileName() + "." + OWNER + ".tmp");
        try {
            fill(temporary, content);
            check.verify(temporary);
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
            syncFolder(file);
        } catch (IOException e) {
            FaultException failure = failure(shown, file, e);
            deleteAfter(temporary, failure);
            throw failure;
        } catch (RuntimeException | Error e) {
            deleteAfter(temporary, e);
            throw e;
        }
    }

    /**
     * Finds out whether files can be made in {@code folder} this way: one is created, written, synced, renamed and deleted.
     *
     * @throws FaultException OUTPUT naming the folder and what failed
     */
    public static void probe(Path folder) throws FaultException {
        Path file = folder.resolve(".jdiff-probe." + OWNER);
        write(file, folder, out -> out.write(new byte[] {1}), UNCHECKED);
        try {
            Files.delete(file);
            syncFolder(file);
        } catch (IOException e) {
            throw failure(folder, file, e);
        }
    }

    private static void fill(Path temporary, Content content) throws IOException {
        try (FileChannel channel = FileChannel.open(
                temporary, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            var out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16);
            content.write(out);
            out.flush();
            channel.force(true);
        }
    }

    private static void syncFolder(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    private static void deleteAfter(Path temporary, Throwable failure) {
        try {
            Files.deleteIfExists(temporary);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    private static FaultException failure(Path shown, Path file, IOException e) {
        return new FaultException(Fault.OUTPUT, shown + " cannot be written: " + reason(e) + free(file), e);
    }

    /** The system's reason without the name of the temporary file. */
    private static String reason(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "no permission";
        }
        if (e instanceof NoSuchFileException) {
            return "the folder does not exist";
        }
        if (e instanceof FileSystemException system && system.getReason() != null) {
            return system.getReason();
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private static String free(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        try {
            return folder == null ? "" : "; " + Files.getFileStore(folder).getUsableSpace() + " bytes free there";
        } catch (IOException e) {
            return ""; // the folder is gone, and the reason says so already
        }
    }
}
