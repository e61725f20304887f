package jdiff.launcher.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What a virtual machine wrote about its own death. */
public record CrashFile(Path path) {
    /** The signal stands in the first lines. */
    private static final int HEAD_BYTES = 4096;

    /** What a user should do about it; empty where the file says nothing that is known. */
    public Optional<String> advice() {
        try (InputStream in = Files.newInputStream(path)) {
            String head = new String(in.readNBytes(HEAD_BYTES), StandardCharsets.ISO_8859_1);
            return head.contains("SIGBUS")
                    ? Optional.of(
                            "a mapped file shrank while it was in use, or its disk is bad (SIGBUS): weights are"
                                    + " mapped by default on the CPU; leave their files alone while jdiff runs, or use --weights-io read")
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty(); // its path is shown all the same
        }
    }
}
