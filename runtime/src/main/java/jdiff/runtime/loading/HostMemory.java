package jdiff.runtime.loading;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How much memory of this machine a process can still get: what the kernel calls available, less where control groups (version 1
 * or 2) allow less. Read from files below a root, so that a test can lay them out.
 */
public final class HostMemory {
    private final Path root;

    HostMemory(Path root) {
        this.root = root;
    }

    /** Of this machine. */
    public static HostMemory ofThisMachine() {
        return new HostMemory(Path.of("/"));
    }

    /** Bytes that can be allocated; the largest number where nothing is known. */
    public long availableBytes() {
        long available = ofMachine("MemAvailable:");
        for (Path group : groups()) {
            available = Math.min(available, left(group, "memory.max", "memory.current"));
            available = Math.min(available, left(group, "memory.limit_in_bytes", "memory.usage_in_bytes"));
        }
        return available;
    }

    /** Bytes that could be, were nobody else there: of the machine, or of its control group; the largest number if unknown. */
    public long totalBytes() {
        long total = ofMachine("MemTotal:");
        for (Path group : groups()) {
            total = Math.min(total, number(first(group.resolve("memory.max"))));
            total = Math.min(total, number(first(group.resolve("memory.limit_in_bytes"))));
        }
        return total;
    }

    private long ofMachine(String key) {
        for (String line : lines("proc/meminfo")) {
            if (line.startsWith(key)) {
                return number(line.replaceAll("[^0-9]", "")) << 10;
            }
        }
        return Long.MAX_VALUE;
    }

    /** The control group of this process and all above it: each may have a limit. */
    private List<Path> groups() {
        List<Path> groups = new ArrayList<>();
        for (String line : lines("proc/self/cgroup")) {
            String[] fields = line.split(":", 3);
            if (fields.length < 3
                    || !(fields[1].isEmpty()
                            || List.of(fields[1].split(",", -1)).contains("memory"))) {
                continue;
            }
            Path mount = root.resolve(fields[1].isEmpty() ? "sys/fs/cgroup" : "sys/fs/cgroup/memory");
            Path group = mount.resolve(fields[2].replaceFirst("^/+", "")).normalize();
            while (group.startsWith(mount)) {
                groups.add(group);
                group = group.resolve("..").normalize();
            }
        }
        return groups;
    }

    /** Pages of files count as used there, but are given up when memory is asked for. */
    private long left(Path group, String limitFile, String usageFile) {
        long limit = number(first(group.resolve(limitFile)));
        if (limit == Long.MAX_VALUE) {
            return limit;
        }
        long usage = number(first(group.resolve(usageFile)));
        long cache = 0;
        for (String line : lines(root.relativize(group.resolve("memory.stat")).toString())) {
            if (line.startsWith("file ") || line.startsWith("total_cache ")) {
                cache = number(line.substring(line.indexOf(' ') + 1));
            }
        }
        return Math.max(0, limit - Math.max(0, usage - cache));
    }

    private String first(Path file) {
        List<String> lines = lines(root.relativize(file).toString());
        return lines.isEmpty() ? "" : lines.get(0).strip();
    }

    private List<String> lines(String file) {
        try {
            return Files.readAllLines(root.resolve(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return List.of(); // this kind of limit does not exist here
        }
    }

    /** {@code max}, nothing and what exceeds a long all mean without limit. */
    private static long number(String text) {
        return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : Long.MAX_VALUE;
    }
}
