package jdiff.cli.launch;

import picocli.CommandLine.Option;

/** Which ranks exist and where. */
final class RankOptions {
    @Option(
            names = "--nproc-per-node",
            paramLabel = "N|auto|cpu|gpu",
            defaultValue = "1",
            description =
                    "Workers on this node: a number; gpu: one per visible GPU; cpu: one per usable CPU; auto: as gpu where"
                            + " there are GPUs, else as cpu (default: ${DEFAULT-VALUE}).")
    String nprocPerNode = "1";

    @Option(
            names = "--nnodes",
            paramLabel = "N",
            defaultValue = "1",
            description = "Number of nodes. Only 1 is supported yet (default: ${DEFAULT-VALUE}).")
    String nnodes = "1";

    @Option(
            names = "--node-rank",
            paramLabel = "N",
            defaultValue = "0",
            description = "Rank of this node (default: ${DEFAULT-VALUE}).")
    String nodeRank = "0";

    @Option(
            names = "--role",
            paramLabel = "NAME",
            defaultValue = "default",
            description = "Role of the workers, shown in prefixes and ROLE_NAME (default: ${DEFAULT-VALUE}).")
    String role = "default";

    @Option(
            names = "--device",
            paramLabel = "auto|cuda|cpu",
            defaultValue = "auto",
            description = "Device of the workers; auto: cuda where a GPU is visible (default: ${DEFAULT-VALUE}).")
    String device = "auto";

    @Option(names = "--allow-oversubscribe", description = "Permit more workers than GPUs; they share devices in turn.")
    boolean allowOversubscribe;

    @Option(
            names = "--virtual-local-rank",
            description = "Give every worker LOCAL_RANK=0 and sight of one device only.")
    boolean virtualLocalRank;
}
