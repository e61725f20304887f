package jdiff.launcher;

import java.nio.file.Path;
import java.util.List;

/**
 * Work that must be done once on a node before workers start (unpacking native libraries): a child process, run only while its
 * marker file is missing. The child writes the marker last; it takes its own lock against other launchers. Its exit code other
 * than 0 ends the launch with that code, its stderr is passed on.
 *
 * @param label what is prepared, for messages: {@code native libraries}
 */
public record Preparation(String label, Path marker, List<String> command) {
    public Preparation {
        command = List.copyOf(command);
    }
}
