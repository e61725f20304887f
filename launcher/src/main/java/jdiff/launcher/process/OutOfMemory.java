package jdiff.launcher.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The kernel's count of processes it has killed for memory in this control group; tells {@code oom} from a plain SIGKILL. */
final class OutOfMemory {
    private OutOfMemory() {}

    /** The counter, or 0 where it cannot be read; only its growth means something. */
    static long kills() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
                String[] parts = line.split(":", 3);
                if (parts.length == 3 && (parts[1].isEmpty() || parts[1].contains("memory"))) {
                    String mount = parts[1].isEmpty() ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
                    String file = parts[1].isEmpty() ? "memory.events" : "memory.oom_control";
                    for (String group : List.of(parts[2], "/")) {
                        Path counters = Path.of(mount + group).resolve(file).normalize();
                        if (Files.isReadable(counters)) {
                            return read(counters);
                        }
                    }
                }
            }
        } catch (IOException | RuntimeException e) {
            return 0;
        }
        return 0;
    }

    private static long read(Path counters) throws IOException {
        for (String line : Files.readAllLines(counters)) {
            if (line.startsWith("oom_kill ")) {
                return Long.parseLong(line.substring("oom_kill ".length()).strip());
            }
        }
        return 0;
    }
}
