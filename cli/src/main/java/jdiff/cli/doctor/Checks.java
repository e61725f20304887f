package jdiff.cli.doctor;

import java.util.ArrayList;
import java.util.List;

/** All checks, in the order of the report. */
public final class Checks {
    private static final List<Check> ALL = List.of(
            new JavaCheck(),
            new NativesCheck(),
            new LibtorchCheck(),
            new CpuCheck(),
            new MemoryCheck(),
            new GpuCheck(),
            new CudaLibrariesCheck(),
            new SystemCheck());

    private Checks() {}

    public static List<Finding> run(Machine machine) {
        List<Finding> findings = new ArrayList<>();
        for (Check check : ALL) {
            findings.addAll(check.run(machine));
        }
        return findings;
    }
}
