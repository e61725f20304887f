package jdiff.launcher.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How many CPUs this job may use.
 *
 * @param limits number by what sets it, in the order in which they were looked for: affinity mask, cgroup quota (rounded up) and
 *     Slurm's allocation; at least one
 */
public record UsableCpus(Map<String, Integer> limits) {
    public UsableCpus {
        limits = Collections.unmodifiableMap(new LinkedHashMap<>(limits));
    }

    /**
     * Reads what limits this process.
     *
     * @param root of the file system; another folder in tests
     */
    public static UsableCpus of(Map<String, String> environment, Path root) {
        Map<String, Integer> limits = new LinkedHashMap<>();
        int affinity = affinity(root);
        if (affinity > 0) {
            limits.put("affinity", affinity);
        } else {
            limits.put("JVM", Math.max(1, Runtime.getRuntime().availableProcessors()));
        }
        int quota = CpuQuota.limit(root);
        if (quota != CpuQuota.UNLIMITED) {
            limits.put("cgroup", quota);
        }
        for (String name : List.of("SLURM_CPUS_PER_TASK", "SLURM_CPUS_ON_NODE")) {
            int slurm = positive(environment.getOrDefault(name, ""));
            if (slurm > 0) {
                limits.put(name, slurm);
                break;
            }
        }
        return new UsableCpus(limits);
    }

    /** The least of the limits. */
    public int count() {
        return Collections.min(limits.values());
    }

    /** 0 where the kernel does not say. */
    private static int affinity(Path root) {
        try {
            for (String line : Files.readAllLines(root.resolve("proc/self/status"))) {
                if (line.startsWith("Cpus_allowed_list:")) {
                    return CpuSet.parse(line.substring(line.indexOf(':') + 1)).cardinality();
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            // Not this kernel's format: the JVM's own count is the next best.
        }
        return 0;
    }

    private static int positive(String text) {
        try {
            return Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
