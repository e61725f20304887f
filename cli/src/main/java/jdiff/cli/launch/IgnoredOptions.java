package jdiff.cli.launch;

import java.util.Map;
import picocli.CommandLine.Option;

/** Options of torchrun that mean nothing here: accepted with a warning, so that command lines can be kept. */
final class IgnoredOptions {
    @Option(names = "--start-method", hidden = true, paramLabel = "METHOD", description = "No effect.")
    String startMethod = "";

    @Option(names = "--event-log-handler", hidden = true, paramLabel = "NAME", description = "No effect.")
    String eventLogHandler = "";

    @Option(names = "--logs-specs", hidden = true, paramLabel = "NAME", description = "No effect.")
    String logsSpecs = "";

    @Option(names = "--use-env", hidden = true, description = "No effect.")
    boolean useEnv;

    /** Name → whether it was given. */
    Map<String, Boolean> given() {
        return Map.of(
                "--start-method", !startMethod.isEmpty(),
                "--event-log-handler", !eventLogHandler.isEmpty(),
                "--logs-specs", !logsSpecs.isEmpty(),
                "--use-env", useEnv);
    }
}
