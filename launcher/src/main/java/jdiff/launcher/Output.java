package jdiff.launcher;

import java.nio.file.Path;
import java.util.Set;
import jdiff.launcher.log.Redirects;
import org.jspecify.annotations.Nullable;

/**
 * Where the workers' output goes.
 *
 * @param logDir base directory of log files, or null
 * @param shown local ranks whose output appears on the console; null: all
 * @param verbosity 0 normal, above: more of the launcher's own messages, below: fewer
 * @param summary file for the JSON summary, or null
 * @param console {@code tty:<columns>} or {@code plain}
 */
public record Output(
        @Nullable Path logDir,
        Redirects redirects,
        Redirects tee,
        @Nullable Set<Integer> shown,
        int verbosity,
        @Nullable Path summary,
        String console) {
    public Output {
        shown = shown == null ? null : Set.copyOf(shown);
    }

    /** Whether any log file was asked for. */
    public boolean wantsFiles() {
        return logDir != null || !redirects.isEmpty() || !tee.isEmpty();
    }

    public boolean onTerminal() {
        return console.startsWith("tty:");
    }
}
