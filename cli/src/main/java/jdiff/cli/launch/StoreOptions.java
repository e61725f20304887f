package jdiff.cli.launch;

import picocli.CommandLine.Option;

/** Where the workers meet. */
final class StoreOptions {
    @Option(names = "--standalone", description = "One node, on the loopback interface, with a random job id.")
    boolean standalone;

    @Option(
            names = "--rdzv-id",
            paramLabel = "ID",
            defaultValue = "none",
            description = "Job id, shown in log directories and TORCHELASTIC_RUN_ID (default: ${DEFAULT-VALUE}).")
    String rdzvId = "none";

    @Option(
            names = "--master-addr",
            paramLabel = "ADDR",
            defaultValue = "127.0.0.1",
            description = "Loopback address of the store (default: ${DEFAULT-VALUE}).")
    String masterAddr = "127.0.0.1";

    @Option(
            names = "--master-port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "Port of the store; 0: a free one (default: ${DEFAULT-VALUE}).")
    String masterPort = "0";
}
