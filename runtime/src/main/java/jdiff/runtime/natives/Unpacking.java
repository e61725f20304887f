package jdiff.runtime.natives;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;

/**
 * Makes a folder of native libraries appear whole or not at all. It is filled under another name, synced, marked and then
 * renamed; so where the lock does not hold (some network file systems), work is done twice but nothing half-made is ever seen.
 */
final class Unpacking {
    /** Written last; a folder without it is deleted, never used. */
    private static final String MARKER = "complete";

    /** Then follow host and process number, so that the leftovers of a killed process are known as such. */
    private static final String UNFINISHED = ".new-";

    private static final Duration ABANDONED = Duration.ofHours(1);

    private Unpacking() {}

    static Path marker(Path folder) {
        return folder.resolve(MARKER);
    }

    static boolean complete(Path folder) {
        return Files.isRegularFile(marker(folder));
    }

    /** What puts the libraries into a folder that is there and empty. */
    interface Filling {
        void fill(Path folder) throws IOException;
    }

    static void into(Path folder, List<NativeLibrary> libraries) throws FaultException {
        underLock(folder, () -> moveInto(folder, libraries));
    }

    /** For libraries that refer to each other by absolute paths, so that they must be made where they stay. */
    static void inPlace(Path folder, Filling filling) throws FaultException {
        underLock(folder, () -> {
            Files.createDirectory(folder);
            filling.fill(folder);
            mark(folder);
        });
    }

    private interface Work {
        void run() throws IOException;
    }

    private static synchronized void underLock(Path folder, Work work) throws FaultException {
        Path parent = Objects.requireNonNull(folder.getParent());
        try {
            Files.createDirectories(parent);
            try (FileChannel file = FileChannel.open(
                            parent.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = file.lock()) {
                if (lock.isValid() && complete(folder)) {
                    return;
                }
                deleteAbandoned(parent);
                if (Files.exists(folder)) {
                    delete(folder);
                }
                work.run();
            }
        } catch (FaultException e) {
            throw e;
        } catch (IOException e) {
            throw new FaultException(
                    Fault.OUTPUT,
                    "the native libraries (420 MB) cannot be unpacked into " + folder + ": " + plain(e) + "; "
                            + free(parent) + "; set JDIFF_CACHE_DIR to use another place",
                    e);
        }
    }

    private static void moveInto(Path folder, List<NativeLibrary> libraries) throws IOException {
        Path work = Files.createTempDirectory(
                folder.getParent(),
                folder.getFileName() + UNFINISHED + ourHost() + "-"
                        + ProcessHandle.current().pid() + "-");
        try {
            for (NativeLibrary library : libraries) {
                unpack(library, work.resolve(library.fileName()));
            }
            mark(work);
            try {
                Files.move(work, folder);
            } catch (FileSystemException e) {
                if (!complete(folder)) {
                    throw e;
                }
                // Another process, which the lock did not stop, was faster.
            }
            sync(Objects.requireNonNull(folder.getParent()));
        } finally {
            if (Files.exists(work)) {
                delete(work);
            }
        }
    }

    private static void mark(Path folder) throws IOException {
        sync(Files.createFile(marker(folder)));
        sync(folder);
    }

    private static void unpack(NativeLibrary library, Path target) throws IOException {
        URL url = Objects.requireNonNull(NativeJar.class.getClassLoader().getResource(library.resource()));
        JarURLConnection connection = (JarURLConnection) url.openConnection();
        long wanted = connection.getJarEntry().getSize();
        try (InputStream in = connection.getInputStream()) {
            long found = Files.copy(in, target);
            if (found != wanted || Files.size(target) != wanted) {
                throw new IOException(library.resource() + " has " + found + " bytes instead of " + wanted);
            }
        }
        sync(target);
    }

    /** For a folder: that its entries outlive a power cut. */
    private static void sync(Path path) throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            file.force(true);
        }
    }

    /** What killed processes left. A folder of another host may be at work, where the lock does not hold: it gets an hour. */
    private static void deleteAbandoned(Path parent) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, "*" + UNFINISHED + "*")) {
            for (Path folder : folders) {
                Instant changed = Files.getLastModifiedTime(folder).toInstant();
                if (ownerIsGone(folder.getFileName().toString())
                        || changed.isBefore(Instant.now().minus(ABANDONED))) {
                    delete(folder);
                }
            }
        }
    }

    private static boolean ownerIsGone(String name) throws IOException {
        String ours = UNFINISHED + ourHost() + "-";
        int at = name.indexOf(ours);
        if (at < 0) {
            return false;
        }
        String pid = name.substring(at + ours.length()).split("-", 2)[0];
        return ProcessHandle.of(Long.parseLong(pid)).isEmpty();
    }

    private static String ourHost() throws IOException {
        return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static String plain(IOException e) {
        String reason = e instanceof FileSystemException f ? f.getReason() : null;
        return reason != null ? reason : String.valueOf(e.getMessage());
    }

    private static String free(Path folder) {
        try {
            return Files.getFileStore(folder).getUsableSpace() / 1_000_000 + " MB are free there";
        } catch (IOException e) {
            return "its free space is unknown";
        }
    }
}
