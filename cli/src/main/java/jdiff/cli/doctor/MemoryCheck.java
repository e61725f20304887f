package jdiff.cli.doctor;

import java.util.List;

/** Memory of the machine and the limit of this process's control group. */
final class MemoryCheck implements Check {
    private static final long WORKER_BYTES = 1L << 30;

    @Override
    public List<Finding> run(Machine machine) {
        String info = machine.text("/proc/meminfo");
        long total = kib(Machine.line(info, "MemTotal:"));
        long available = kib(Machine.line(info, "MemAvailable:"));
        String text = Machine.gib(available) + " available of " + Machine.gib(total);
        long limit = limit(machine);
        if (limit > 0 && limit < total) {
            text += ", limited to " + Machine.gib(limit) + " by the control group";
            available = Math.min(available, limit);
        }
        if (available < WORKER_BYTES) {
            return List.of(Finding.warn(
                    "memory",
                    text,
                    "a worker of the demo model needs about 0.5 GiB, large models more than their weights"));
        }
        return List.of(Finding.ok("memory", text));
    }

    private static long limit(Machine machine) {
        String unified = machine.text("/sys/fs/cgroup/memory.max").strip();
        String old = machine.text("/sys/fs/cgroup/memory/memory.limit_in_bytes").strip();
        return number(unified.isEmpty() ? old : unified);
    }

    private static long kib(String text) {
        return 1024 * number(text.replace("kB", "").strip());
    }

    /** 0 for no number ({@code max}). */
    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
