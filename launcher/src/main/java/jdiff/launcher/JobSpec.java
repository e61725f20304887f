package jdiff.launcher;

import java.util.List;
import jdiff.launcher.host.Host;

/**
 * What the user asked for, resolved and validated, together with the facts of the machine that the plan depends on.
 *
 * @param address literal loopback address the store listens on
 * @param port port of the store; 0: a free one
 * @param settings every option with its source, for {@code --dry-run}
 */
public record JobSpec(
        Program program,
        Ranks ranks,
        String address,
        int port,
        Output output,
        Policy policy,
        Host host,
        List<Preparation> preparations,
        List<Setting> settings) {
    public JobSpec {
        if (port < 0 || port > 65535) {
            throw new IllegalArgumentException("--master-port must be between 0 and 65535, found " + port);
        }
        preparations = List.copyOf(preparations);
        settings = List.copyOf(settings);
    }

    /** A worker's equal share of the usable CPUs, at least 1. */
    int cpusPerWorker() {
        return Math.max(1, host.cpus() / ranks.perNode());
    }

    /** The same job with another program, for instance with arguments that the launcher has replaced. */
    public JobSpec running(Program other) {
        return new JobSpec(other, ranks, address, port, output, policy, host, preparations, settings);
    }
}
