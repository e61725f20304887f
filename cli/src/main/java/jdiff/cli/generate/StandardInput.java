package jdiff.cli.generate;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;

/**
 * Prompts on standard input, as a file that can be read more than once. A launcher has copied them already and names the file;
 * alone, this process copies them and removes the copy at its end.
 */
record StandardInput(Path copy, boolean own) implements AutoCloseable {
    /**
     * What this process reads.
     *
     * @param launcherCopy of the launcher; empty if it made none
     */
    static StandardInput open(String launcherCopy, Map<String, String> environment, InputStream in)
            throws FaultException {
        if (!launcherCopy.isEmpty()) {
            return new StandardInput(Path.of(launcherCopy), false);
        }
        if (!environment.getOrDefault("TORCHELASTIC_RUN_ID", "").isEmpty()) {
            throw new FaultException(
                    Fault.NO_INPUT,
                    "a rank has no standard input of its own; save the prompts to a file and name it with --prompts-file");
        }
        return copy(in);
    }

    /** Reads {@code in} to its end into a private file, which is removed when this process ends, if not before. */
    static StandardInput copy(InputStream in) throws FaultException {
        try {
            Path copy = Files.createTempFile("jdiff-prompts-", ".tmp"); // readable by this user only
            copy.toFile().deleteOnExit();
            try (OutputStream out = Files.newOutputStream(copy)) {
                in.transferTo(out);
            }
            return new StandardInput(copy, true);
        } catch (IOException e) {
            throw new FaultException(Fault.IO, "standard input cannot be copied to a file: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() throws IOException {
        if (own) {
            Files.deleteIfExists(copy);
        }
    }
}
