package jdiff.launcher.log;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import jdiff.launcher.report.Reasons;
import org.apache.logging.log4j.LogManager;
import org.jspecify.annotations.Nullable;

/** One log file. It takes the worker's bytes as they come; the first failing write switches it off with one warning. */
final class LogFile {
    private final Path path;
    private @Nullable OutputStream out;

    LogFile(Path path) {
        this.path = path;
        try {
            this.out = Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            switchOff(e);
        }
    }

    void write(byte[] bytes, int count) {
        if (out != null) {
            try {
                out.write(bytes, 0, count);
            } catch (IOException e) {
                switchOff(e);
            }
        }
    }

    void close() {
        if (out != null) {
            try {
                out.close();
            } catch (IOException e) {
                switchOff(e);
            }
        }
    }

    private void switchOff(IOException e) {
        out = null;
        LogManager.getLogger().warn("{} is not written any more ({}); the job goes on", path, Reasons.of(e));
    }
}
