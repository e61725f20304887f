package jdiff.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import jdiff.launcher.host.UsableCpus;

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
        UsableCpus cpus = UsableCpus.of(machine.variables(), machine.root());
        List<String> limits = new ArrayList<>();
        cpus.limits().forEach((name, count) -> limits.add(name + " " + count));
        return Finding.ok("cpus", cpus.count() + " usable (" + String.join(", ", limits) + ")");
    }

    private static String afterColon(String line) {
        return line.substring(line.indexOf(':') + 1).strip();
    }
}
