package jdiff.runtime.job;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Map;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Appends the moments of a run to the file that JDIFF_TRACE names, for benchmarks: lines
 * {@code <event> <nanoseconds since the epoch> rank=<rank>}. All ranks share one file.
 */
public final class Trace {
    private static final Logger LOG = LogManager.getLogger();
    private static final long NANOS = 1_000_000_000;

    private final @Nullable Path file;
    private final int rank;

    private Trace(@Nullable Path file, int rank) {
        this.file = file;
        this.rank = rank;
    }

    /** The trace that {@code environment} asks for, or one that does nothing. */
    public static Trace of(Map<String, String> environment, int rank) {
        String file = environment.getOrDefault("JDIFF_TRACE", "");
        return new Trace(file.isEmpty() ? null : Path.of(file), rank);
    }

    /** Notes that {@code event} happens now. */
    public void event(String event) {
        event(event, Instant.now());
    }

    /** Notes when this process began. */
    public void processStart() {
        if (file != null) {
            ProcessHandle.current().info().startInstant().ifPresent(start -> event("jvm_start", start));
        }
    }

    private void event(String event, Instant at) {
        if (file == null) {
            return;
        }
        String line = event + ' ' + (at.getEpochSecond() * NANOS + at.getNano()) + " rank=" + rank + '\n';
        try {
            // One small write to a file opened for appending is never mixed with another rank's.
            Files.write(
                    file,
                    line.getBytes(StandardCharsets.UTF_8),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            LOG.debug("trace {} cannot be written", file, e);
        }
    }
}
