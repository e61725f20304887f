package jdiff.launcher.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** How many CPUs this job may use: the least of affinity mask, cgroup quota (rounded up) and Slurm's allocation. */
public final class UsableCpus {
    private UsableCpus() {}

    public static int count(Map<String, String> environment) {
        return count(environment, Path.of("/"));
    }

    static int count(Map<String, String> environment, Path root) {
        int cpus = affinity(root);
        cpus = Math.min(cpus, CpuQuota.limit(root));
        for (String name : List.of("SLURM_CPUS_PER_TASK", "SLURM_CPUS_ON_NODE")) {
            int slurm = positive(environment.getOrDefault(name, ""));
            if (slurm > 0) {
                return Math.min(cpus, slurm);
            }
        }
        return cpus;
    }

    private static int affinity(Path root) {
        try {
            for (String line : Files.readAllLines(root.resolve("proc/self/status"))) {
                if (line.startsWith("Cpus_allowed_list:")) {
                    int count =
                            CpuSet.parse(line.substring(line.indexOf(':') + 1)).cardinality();
                    if (count > 0) {
                        return count;
                    }
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            // Not this kernel's format: the JVM's own count is the next best.
        }
        return Math.max(1, Runtime.getRuntime().availableProcessors());
    }

    private static int positive(String text) {
        try {
            return Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
