package jdiff.runtime.weights;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import jdiff.runtime.config.Digests;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.loading.LoadMeter;
import org.jspecify.annotations.Nullable;

/**
 * Compares files with what they are called in a hub cache: there a snapshot holds links to blobs, and the name of a large blob is
 * the SHA-256 of its content. Reads every byte.
 */
public final class FileDigests {
    private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");
    private static final int CHUNK_BYTES = 1 << 20;

    private FileDigests() {}

    /** How a file compares. */
    public enum State {
        MATCHES("ok"),
        DIFFERS("differs"),
        NOT_VERIFIABLE("not verifiable"),
        UNREADABLE("unreadable");

        private final String word;

        State(String word) {
            this.word = word;
        }

        /** For people. */
        public String word() {
            return word;
        }
    }

    /**
     * One file.
     *
     * @param expected SHA-256 by its name in the cache; null where it has none
     * @param found SHA-256 of its content; null where it was not read
     * @param fault BAD_INPUT if both differ, IO or NO_INPUT if it cannot be read, else null
     */
    public record Result(
            Path file,
            State state,
            @Nullable String expected,
            @Nullable String found,
            @Nullable FaultException fault) {}

    /**
     * Reads files side by side.
     *
     * @param meter counts the bytes of those that can be verified
     * @return one result per file, in the order given
     */
    public static List<Result> verify(Collection<Path> files, int threads, LoadMeter meter) {
        ExecutorService pool = Executors.newFixedThreadPool(threads, task -> {
            var thread = new Thread(task, "digest");
            thread.setDaemon(true);
            return thread;
        });
        try {
            List<Future<Result>> running = new ArrayList<>();
            for (Path file : files) {
                String expected = expected(file);
                if (expected != null) {
                    meter.expect(size(file));
                }
                running.add(pool.submit(() -> verify(file, expected, meter)));
            }
            List<Result> results = new ArrayList<>();
            for (Future<Result> one : running) {
                results.add(one.get());
            }
            return results;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while files were verified", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("verifying a file failed", e.getCause());
        } finally {
            pool.shutdownNow();
        }
    }

    /** The SHA-256 that the hub cache knows of a file; null if it is no link to a blob of that kind. */
    private static @Nullable String expected(Path file) {
        try {
            Path real = file.toRealPath();
            Path folder = real.getParent();
            String name = String.valueOf(real.getFileName());
            return folder != null
                            && folder.endsWith("blobs")
                            && SHA256.matcher(name).matches()
                    ? name
                    : null;
        } catch (IOException e) {
            return null;
        }
    }

    private static Result verify(Path file, @Nullable String expected, LoadMeter meter) {
        if (expected == null) {
            return new Result(file, State.NOT_VERIFIABLE, null, null, null);
        }
        try {
            String found = sha256(file, meter);
            FaultException fault = found.equals(expected)
                    ? null
                    : new FaultException(
                            Fault.BAD_INPUT,
                            file + ": its SHA-256 is " + found + ", the hub cache names it " + expected
                                    + ": damaged, delete it and download it again");
            return new Result(file, fault == null ? State.MATCHES : State.DIFFERS, expected, found, fault);
        } catch (IOException e) {
            return new Result(
                    file,
                    State.UNREADABLE,
                    expected,
                    null,
                    new FaultException(Fault.IO, file + ": cannot be read: " + e.getMessage(), e));
        }
    }

    private static String sha256(Path file, LoadMeter meter) throws IOException {
        MessageDigest digest = Digests.sha256();
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            for (int n = channel.read(chunk); n >= 0; n = channel.read(chunk)) {
                digest.update(chunk.flip());
                chunk.clear();
                meter.done(n);
            }
        }
        return Digests.hex(digest);
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            return 0;
        }
    }
}
