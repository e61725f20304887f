package jdiff.launcher.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The CPU bandwidth limit of this process's control group and its parents, cgroup v2 and v1. */
final class CpuQuota {
    static final int UNLIMITED = Integer.MAX_VALUE;

    private CpuQuota() {}

    /** Whole CPUs, rounded up; {@link #UNLIMITED} where there is no quota or it cannot be read. */
    static int limit(Path root) {
        int limit = UNLIMITED;
        for (String line : lines(root.resolve("proc/self/cgroup"))) {
            String[] parts = line.split(":", 3); // hierarchy : controllers : path
            if (parts.length == 3) {
                boolean unified = parts[1].isEmpty();
                if (unified || List.of(parts[1].split(",")).contains("cpu")) {
                    limit = Math.min(limit, along(root, unified, parts[2]));
                }
            }
        }
        return limit;
    }

    /** A container sees its own group as the mount's root, so a path that does not exist there still ends at the root. */
    private static int along(Path root, boolean unified, String path) {
        Path mount = root.resolve(unified ? "sys/fs/cgroup" : "sys/fs/cgroup/cpu");
        int limit = UNLIMITED;
        String relative = path.startsWith("/") ? path.substring(1) : path;
        @Nullable Path group = mount.resolve(relative).normalize();
        while (group != null && group.startsWith(mount)) {
            limit = Math.min(limit, unified ? unified(group) : legacy(group));
            group = group.getParent();
        }
        return limit;
    }

    private static int unified(Path group) {
        List<String> lines = lines(group.resolve("cpu.max"));
        String[] parts = lines.isEmpty() ? new String[0] : lines.get(0).strip().split("\\s+");
        return parts.length == 2 ? cpus(parts[0], parts[1]) : UNLIMITED;
    }

    private static int legacy(Path group) {
        List<String> quota = lines(group.resolve("cpu.cfs_quota_us"));
        List<String> period = lines(group.resolve("cpu.cfs_period_us"));
        return quota.isEmpty() || period.isEmpty() ? UNLIMITED : cpus(quota.get(0), period.get(0));
    }

    private static int cpus(String quota, String period) {
        try {
            long q = Long.parseLong(quota.strip());
            long p = Long.parseLong(period.strip());
            return q <= 0 || p <= 0 ? UNLIMITED : (int) Math.min(UNLIMITED, (q + p - 1) / p);
        } catch (NumberFormatException e) {
            return UNLIMITED; // "max"
        }
    }

    private static List<String> lines(Path file) {
        try {
            return new ArrayList<>(Files.readAllLines(file));
        } catch (IOException e) {
            return List.of();
        }
    }
}
