package jdiff.cli.launch;

import picocli.CommandLine.Option;

/** How the job is watched, stopped and reported to the shell. */
final class StopOptions {
    @Option(
            names = "--max-restarts",
            paramLabel = "N",
            defaultValue = "0",
            description = "Restarts after a failure. Only 0 is supported yet (default: ${DEFAULT-VALUE}).")
    String maxRestarts = "0";

    @Option(
            names = "--shutdown-timeout",
            paramLabel = "SECONDS",
            defaultValue = "25",
            description = "Time between asking workers to stop and SIGKILL, on every path (default: ${DEFAULT-VALUE}).")
    String shutdownTimeout = "25";

    @Option(
            names = "--monitor-interval",
            paramLabel = "SECONDS",
            defaultValue = "0.1",
            description = "Period of the health check; the end of a worker is noticed at once in any case (default:"
                    + " ${DEFAULT-VALUE}).")
    String monitorInterval = "0.1";

    @Option(
            names = "--signals-to-handle",
            paramLabel = "NAMES",
            defaultValue = "TERM,INT,HUP,USR1,USR2",
            description =
                    "Signals that are handled: TERM, INT and HUP stop the job, USR1 and USR2 let it finish what is in"
                            + " progress (default: ${DEFAULT-VALUE}).")
    String signalsToHandle = "TERM,INT,HUP,USR1,USR2";

    @Option(
            names = "--exit-code",
            paramLabel = "cause|flat",
            defaultValue = "cause",
            description =
                    "cause: the code of the first cause; flat: 0, 1 or 2 as torchrun (default: ${DEFAULT-VALUE}).")
    String exitCode = "cause";
}
