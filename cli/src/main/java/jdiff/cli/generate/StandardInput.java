package jdiff.cli.generate;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;

/**
 * Prompts on standard input, as a file that can be read more than once. A launcher has copied them already and names the file;
 * alone, this process copies them and removes the copy at its end.
 */
record StandardInput(Path copy, boolean own) implements AutoCloseable {
    /** Set by a launcher: its copy of standard input, for the workers to read. */
    static final String VARIABLE = "JDIFF_STDIN_FILE";

    static StandardInput open(Map<String, String> environment, InputStream in) throws FaultException {
        String file = environment.getOrDefault(VARIABLE, "");
        if (!file.isEmpty()) {
            return new StandardInput(Path.of(file), false);
        }
        if (environment.containsKey("RANK")) {
            throw new FaultException(
                    Fault.NO_INPUT,
                    "this rank has no standard input; save the prompts to a file and name it with --prompts-file");
        }
        try {
            // Private by default: only the user may read it.
            Path copy = Files.createTempFile("jdiff-prompts-", ".tmp");
            Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
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
