package jdiff.cli.doctor;

import java.util.ArrayList;
import java.util.List;

/** Instructions that matter for speed, and how many CPUs this process may use. */
final class CpuCheck implements Check {
    private static final List<String> SHOWN = List.of("avx2", "avx512f", "avx512_bf16", "amx_bf16");

    @Override
    public List<Finding> run(Machine machine) {
        return List.of(instructions(machine), usable(machine));
    }

    private static Finding instructions(Machine machine) {
        String info = machine.text("/proc/cpuinfo");
        String model = afterColon(Machine.line(info, "model name"));
        List<String> flags = List.of(afterColon(Machine.line(info, "flags")).split(" ", -1));
        List<String> found = new ArrayList<>();
        for (String flag : SHOWN) {
            if (flags.contains(flag)) {
                found.add(flag);
            }
        }
        String text = model + ": " + (found.isEmpty() ? "no wide instructions" : String.join(" ", found));
        boolean bf16 = found.contains("avx512_bf16") || found.contains("amx_bf16");
        return bf16
                ? Finding.ok("cpu", text)
                : Finding.warn("cpu", text + ", no fast bf16", "on this CPU --dtype float32 is faster than bfloat16");
    }

    private static Finding usable(Machine machine) {
        int allowed = countCpus(Machine.line(machine.text("/proc/self/status"), "Cpus_allowed_list:"));
        int usable = allowed;
        List<String> limits = new ArrayList<>();
        limits.add("affinity " + allowed);
        int quota = quota(machine);
        if (quota > 0) {
            limits.add("cgroup " + quota);
            usable = Math.min(usable, quota);
        }
        for (String name : List.of("SLURM_CPUS_PER_TASK", "SLURM_CPUS_ON_NODE")) {
            int given = number(machine.variable(name));
            if (given > 0) {
                limits.add(name + " " + given);
                usable = Math.min(usable, given);
                break;
            }
        }
        String text = usable + " usable (" + String.join(", ", limits) + ")";
        return usable > 0
                ? Finding.ok("cpus", text)
                : Finding.warn("cpus", text, "/proc does not say how many CPUs there are; set OMP_NUM_THREADS");
    }

    /** CPUs in a list such as {@code 0-3,8}. */
    static int countCpus(String list) {
        int count = 0;
        for (String range : list.isEmpty() ? new String[0] : list.split(",", -1)) {
            int dash = range.indexOf('-');
            int first = number(dash < 0 ? range : range.substring(0, dash));
            int last = dash < 0 ? first : number(range.substring(dash + 1));
            count += last - first + 1;
        }
        return count;
    }

    /** CPU time per period of the control group, rounded up; 0 if there is no limit. */
    static int quota(Machine machine) {
        String[] max = machine.text("/sys/fs/cgroup/cpu.max").strip().split(" ", -1);
        if (max.length == 2 && !max[0].equals("max")) {
            return roundUp(number(max[0]), number(max[1]));
        }
        int time = number(machine.text("/sys/fs/cgroup/cpu/cpu.cfs_quota_us").strip());
        int period = number(machine.text("/sys/fs/cgroup/cpu/cpu.cfs_period_us").strip());
        return roundUp(time, period);
    }

    private static int roundUp(int time, int period) {
        return time > 0 && period > 0 ? (time + period - 1) / period : 0;
    }

    private static int number(@org.jspecify.annotations.Nullable String text) {
        try {
            return text == null ? -1 : Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static String afterColon(String line) {
        return line.substring(line.indexOf(':') + 1).strip();
    }
}
