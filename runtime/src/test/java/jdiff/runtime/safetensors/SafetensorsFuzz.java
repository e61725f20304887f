package jdiff.runtime.safetensors;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;

/** Fuzz target: any bytes are a valid file or are refused by a rule of the format, and nothing else happens. */
public final class SafetensorsFuzz {
    private static final Path FILE = Path.of("fuzzed.safetensors");

    private SafetensorsFuzz() {}

    /** Called by Jazzer; also by tests, with the files that it found. */
    public static void fuzzerTestOneInput(byte[] file) throws IOException {
        SafetensorsFile opened;
        try {
            opened = SafetensorsFile.parse(
                    FILE, file.length, (from, length) -> Arrays.copyOfRange(file, (int) from, (int) from + length));
        } catch (FaultException e) {
            require(e.fault() == Fault.BAD_INPUT, "fault " + e.fault());
            require(e.getMessage().startsWith(FILE + ": "), "message without the file: " + e.getMessage());
            require(e.getMessage().length() < 5000, "endless message");
            return;
        }
        long covered = 0;
        for (TensorEntry entry : opened.entries().values()) {
            require(entry.begin() >= 8 && entry.bytes() >= 0, "range of " + entry);
            require(entry.begin() + entry.bytes() <= file.length, "end of " + entry);
            require(Arrays.stream(entry.shape()).allMatch(size -> size >= 0), "shape of " + entry);
            covered += entry.bytes();
        }
        require(covered <= file.length - 10, "overlaps");
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }
}
