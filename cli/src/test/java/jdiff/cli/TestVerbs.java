package jdiff.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import jdiff.cli.launch.LaunchCommand;
import jdiff.cli.launch.StopSignals;

/** Makes sets of verbs for tests of other packages. */
public final class TestVerbs {
    private TestVerbs() {}

    public static Verbs of(Map<String, Supplier<Object>> commands) {
        return new Verbs(commands);
    }

    /** Runs {@code launch} as {@link Jdiff#run} does, with errors reported the same way. */
    public static int launch(
            List<String> words, Verbs verbs, Map<String, String> environment, PrintWriter out, PrintWriter err) {
        try {
            return LaunchCommand.run(words, verbs, environment, StopSignals.none(), out, err);
        } catch (Exception e) {
            return Errors.report(e, err, environment, false);
        }
    }
}
