package jdiff.cli.launch;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import jdiff.cli.OptionWords;
import jdiff.cli.Verbs;
import jdiff.launcher.JobSpec;
import jdiff.launcher.Output;
import jdiff.launcher.Policy;
import jdiff.launcher.Program;
import jdiff.launcher.Ranks;
import jdiff.launcher.host.CpuSet;
import jdiff.launcher.host.Host;
import jdiff.launcher.host.Terminal;
import jdiff.launcher.log.Redirects;
import org.apache.logging.log4j.LogManager;
import org.jspecify.annotations.Nullable;

/** From parsed options and facts of the machine to a validated job. */
final class JobBuilder {
    private final LaunchCommand command;
    private final Verbs verbs;
    private final Host host;
    private final WorkerJvm jvm = new WorkerJvm();

    JobBuilder(LaunchCommand command, Verbs verbs, Host host) {
        this.command = command;
        this.verbs = verbs;
        this.host = host;
    }

    /** What the words after the launch options run on each of so many workers. */
    Program program(OptionWords line, int workers) throws IOException {
        return new Programs(verbs, command.program, host.environment(), workers, jvm).resolve(line);
    }

    /** Throws IllegalArgumentException for the first thing that is wrong; warnings are given once. */
    JobSpec build(OptionWords line) throws IOException {
        checkNodes();
        Devices devices = Devices.resolve(command.ranks, host);
        String jobId = jobId();
        var ranks = new Ranks(
                devices.workers(), jobId, command.ranks.role, devices.device(), command.ranks.virtualLocalRank);
        Program program = program(line, devices.workers());
        int port = Values.integer("--master-port", command.store.masterPort, 0, 65535);
        var resolved = Map.of(
                "--nproc-per-node",
                Integer.toString(devices.workers()),
                "--device",
                devices.device(),
                "--rdzv-id",
                jobId);
        return new JobSpec(
                program,
                ranks,
                address(),
                port,
                output(),
                policy(),
                host,
                program instanceof Program.Java ? jvm.preparations() : List.of(),
                command.settings(resolved, program.label(), host));
    }

    private void checkNodes() {
        String[] sizes = command.ranks.nnodes.split(":", 2);
        int min = Values.integer("--nnodes", sizes[0], 1, 65536);
        int max = sizes.length == 1 ? min : Values.integer("--nnodes", sizes[1], 1, 65536);
        if (max < min) {
            throw new IllegalArgumentException("--nnodes " + command.ranks.nnodes + ": the range runs backwards");
        }
        if (command.store.standalone && max != 1) {
            throw new IllegalArgumentException("--standalone means one node, but --nnodes is " + command.ranks.nnodes);
        }
        if (command.store.standalone && command.isGiven("--rdzv-id")) {
            throw new IllegalArgumentException(
                    "--standalone takes a random job id, but --rdzv-id is given; leave one out");
        }
        if (max != 1) {
            throw new IllegalArgumentException(
                    "--nnodes " + command.ranks.nnodes + ": several nodes are not supported yet");
        }
        int rank = Values.integer("--node-rank", command.ranks.nodeRank, 0, 65536);
        if (rank != 0) {
            throw new IllegalArgumentException("--node-rank " + rank + ": with one node the only node rank is 0");
        }
    }

    private String jobId() {
        return command.store.standalone ? UUID.randomUUID().toString() : command.store.rdzvId;
    }

    /** One node listens on the loopback interface only, and never looks a name up. */
    private String address() {
        String address = command.store.masterAddr;
        String bare =
                address.startsWith("[") && address.endsWith("]") ? address.substring(1, address.length() - 1) : address;
        if (bare.equals("localhost")) {
            return "127.0.0.1";
        }
        if (bare.equals("::1") || bare.matches("127(\\.[0-9]{1,3}){3}")) {
            return bare;
        }
        if (command.store.standalone) {
            throw new IllegalArgumentException(
                    "--standalone uses the loopback interface, but --master-addr is " + address);
        }
        LogManager.getLogger().warn("--master-addr {} is not used: one node meets on 127.0.0.1", address);
        return "127.0.0.1";
    }

    private Output output() {
        StreamOptions streams = command.streams;
        return new Output(
                path("--log-dir", streams.logDir),
                Redirects.parse("--redirects", streams.redirects),
                Redirects.parse("--tee", streams.tee),
                shownRanks(streams.localRanksFilter),
                command.verbosity(),
                path("--summary-json", streams.summaryJson),
                Terminal.describe(host.environment()));
    }

    private static @Nullable Path path(String option, String text) {
        try {
            return text.isEmpty() ? null : Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(option + " '" + text + "' is not a possible file name", e);
        }
    }

    private static @Nullable Set<Integer> shownRanks(String list) {
        if (list.isEmpty()) {
            return null;
        }
        try {
            Set<Integer> ranks = new HashSet<>();
            CpuSet.parse(list).stream().forEach(ranks::add);
            return ranks;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "--local-ranks-filter '" + list + "' is not a list of local ranks like 0,2-3", e);
        }
    }

    private Policy policy() {
        StopOptions stop = command.stop;
        return new Policy(
                Values.seconds("--shutdown-timeout", stop.shutdownTimeout),
                Values.seconds("--monitor-interval", stop.monitorInterval),
                StopSignals.parse(
                        stop.signalsToHandle, message -> LogManager.getLogger().warn(message)),
                Values.integer("--max-restarts", stop.maxRestarts, 0, Integer.MAX_VALUE),
                Values.word("--exit-code", stop.exitCode, "cause", "flat").equals("flat"));
    }
}
