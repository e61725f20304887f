package jdiff.runtime.distributed;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import org.jspecify.annotations.Nullable;

/**
 * What a launcher (jdiff's, torchrun, srun) tells this process about its place in the job.
 *
 * @param launched whether a launcher set the variables; if not, this process is rank 0 of 1
 * @param groupRank number of this node
 * @param runId the job's id, for instance TORCHELASTIC_RUN_ID
 * @param agentStore whether the launcher hosts the store at MASTER_ADDR:MASTER_PORT, so that every rank is a client
 * @param attempt grows with every restart; part of each store key
 * @param collectiveTimeout longest wait in a collective; zero: no limit
 * @param interfaces network interfaces for Gloo, comma separated, or none
 * @param threads threads of one tensor operation, or 0 for libtorch's choice
 */
public record WorkerEnvironment(
        boolean launched,
        int rank,
        int localRank,
        int worldSize,
        int localWorldSize,
        int groupRank,
        String masterAddress,
        int masterPort,
        String runId,
        boolean agentStore,
        int attempt,
        DeviceChoice device,
        Duration collectiveTimeout,
        @Nullable String interfaces,
        int threads) {

    /** The first step may include loading and compiling; the launcher's watch is tighter afterwards. */
    private static final Duration AUTO_TIMEOUT = Duration.ofMinutes(10);

    private static final List<String> REQUIRED =
            List.of("RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_ADDR", "MASTER_PORT");

    /**
     * Reads torchrun's variables and jdiff's own. Without TORCHELASTIC_RUN_ID, or without any of the others, this is a single
     * process: left-over variables of a shell or a batch system do not turn a program into a rank that waits for peers.
     *
     * @throws FaultException {@link Fault#CONFIG} if the launcher's variables are incomplete or make no sense
     */
    public static WorkerEnvironment parse(Map<String, String> variables) throws FaultException {
        EnvironmentReader env = new EnvironmentReader(variables);
        DeviceChoice device = env.device("JDIFF_DEVICE");
        Duration timeout = env.seconds("JDIFF_COLLECTIVE_TIMEOUT", AUTO_TIMEOUT);
        String interfaces = env.text("GLOO_SOCKET_IFNAME");
        int threads = env.threads("OMP_NUM_THREADS");
        String runId = env.text("TORCHELASTIC_RUN_ID");
        List<String> missing = new ArrayList<>();
        for (String name : REQUIRED) {
            if (env.text(name) == null) {
                missing.add(name);
            }
        }
        if (runId == null || missing.size() == REQUIRED.size()) {
            return single(device, timeout, interfaces, threads);
        }
        if (!missing.isEmpty()) {
            throw new FaultException(
                    Fault.CONFIG,
                    "TORCHELASTIC_RUN_ID is set, so a launcher started this process, but " + String.join(", ", missing)
                            + (missing.size() == 1 ? " is" : " are")
                            + " missing; start the program with jdiff launch or torchrun, or unset TORCHELASTIC_RUN_ID to run"
                            + " a single process");
        }
        int worldSize = env.number("WORLD_SIZE", 1, Integer.MAX_VALUE);
        int rank = env.below("RANK", worldSize, "WORLD_SIZE");
        int localWorldSize = env.number("LOCAL_WORLD_SIZE", 1, Integer.MAX_VALUE, worldSize);
        int localRank = env.below("LOCAL_RANK", localWorldSize, "LOCAL_WORLD_SIZE");
        return new WorkerEnvironment(
                true,
                rank,
                localRank,
                worldSize,
                localWorldSize,
                env.number("GROUP_RANK", 0, Integer.MAX_VALUE, 0),
                env.required("MASTER_ADDR"),
                env.number("MASTER_PORT", 1, 65535),
                runId,
                env.flag("TORCHELASTIC_USE_AGENT_STORE"),
                env.number("TORCHELASTIC_RESTART_COUNT", 0, Integer.MAX_VALUE, 0),
                device,
                timeout,
                interfaces,
                threads);
    }

    /** Rank 0 of 1 with the given device; for tests and for ranks that are threads. */
    static WorkerEnvironment ofThread(int rank, int worldSize) {
        WorkerEnvironment one = single(DeviceChoice.CPU, Duration.ofMinutes(1), null, 0);
        return new WorkerEnvironment(
                one.launched,
                rank,
                rank,
                worldSize,
                worldSize,
                0,
                one.masterAddress,
                one.masterPort,
                "threads",
                true,
                0,
                one.device,
                one.collectiveTimeout,
                null,
                0);
    }

    private static WorkerEnvironment single(
            DeviceChoice device, Duration timeout, @Nullable String interfaces, int threads) {
        return new WorkerEnvironment(
                false, 0, 0, 1, 1, 0, "127.0.0.1", 0, "none", false, 0, device, timeout, interfaces, threads);
    }

    /**
     * The process group's own limit: above {@link #collectiveTimeout}, so that whoever watches the ranks speaks first, and never
     * the default of the library.
     */
    Duration groupTimeout() {
        return collectiveTimeout.isZero() ? Duration.ofDays(7) : collectiveTimeout.plusSeconds(30);
    }

    /** Values of JDIFF_DEVICE. */
    public enum DeviceChoice {
        AUTO,
        CUDA,
        CPU;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
