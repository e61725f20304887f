package jdiff.cli.launch;

import picocli.CommandLine.Option;

/** Where the workers' output goes. */
final class StreamOptions {
    @Option(
            names = "--log-dir",
            paramLabel = "DIR",
            description =
                    "Base directory of log files: <DIR>/<job id>_<random>/attempt_<n>/<local rank>/. Without -r and -t"
                            + " both streams are copied there (default: no files).")
    String logDir = "";

    @Option(
            names = {"-r", "--redirects"},
            paramLabel = "SPEC",
            defaultValue = "0",
            description =
                    "Streams that go to a log file instead of the console: 0 none, 1 stdout, 2 stderr, 3 both; or by local"
                            + " rank, 0-3:1,10:3 (default: ${DEFAULT-VALUE}).")
    String redirects = "0";

    @Option(
            names = {"-t", "--tee"},
            paramLabel = "SPEC",
            defaultValue = "0",
            description = "Streams that go to a log file and to the console, as for -r (default: ${DEFAULT-VALUE}).")
    String tee = "0";

    @Option(
            names = "--local-ranks-filter",
            paramLabel = "RANKS",
            description = "Local ranks whose output is shown on the console, 0,2-3 (default: all).")
    String localRanksFilter = "";

    @Option(
            names = "--summary-json",
            paramLabel = "FILE",
            description = "Write the outcome of the job and of each rank to a file, on success too.")
    String summaryJson = "";

    @Option(
            names = {"-v", "--verbose"},
            description = "Tell the story of the run on stderr; twice: in detail.")
    boolean[] verbose = {};

    @Option(
            names = {"-q", "--quiet"},
            description = "Only errors of the launcher on stderr.")
    boolean quiet;
}
