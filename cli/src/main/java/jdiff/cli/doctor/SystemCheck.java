package jdiff.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** Programs and limits of the system that launching relies on. */
final class SystemCheck implements Check {
    private static final long SHARED_BYTES = 64L << 20;
    private static final int OPEN_FILES = 1024;

    @Override
    public List<Finding> run(Machine machine) {
        List<Finding> findings = new ArrayList<>();
        findings.add(
                program(machine, "sh", "workers are started without a shell: their standard output is not kept apart"));
        findings.add(program(machine, "setsid", "install util-linux; without it, what a worker starts may outlive it"));
        findings.add(sharedMemory(machine));
        findings.add(openFiles(machine));
        return findings;
    }

    private static Finding program(Machine machine, String name, String advice) {
        return machine.hasProgram(name) ? Finding.ok(name, "found") : Finding.warn(name, "not in PATH", advice);
    }

    private static Finding sharedMemory(Machine machine) {
        try {
            long bytes = Files.getFileStore(machine.path("/dev/shm")).getTotalSpace();
            return bytes < SHARED_BYTES
                    ? Finding.warn(
                            "shm",
                            "/dev/shm has " + (bytes >> 20) + " MiB",
                            "NCCL wants more on several GPUs; start a container with --shm-size=1g")
                    : Finding.ok("shm", "/dev/shm has " + Machine.gib(bytes));
        } catch (IOException e) {
            return Finding.warn("shm", "no /dev/shm", "NCCL needs it on several GPUs; mount a tmpfs there");
        }
    }

    private static Finding openFiles(Machine machine) {
        String line = Machine.line(machine.text("/proc/self/limits"), "Max open files");
        String soft = line.strip().split("\\s+", -1)[0];
        boolean enough = soft.equals("unlimited") || (soft.matches("\\d{1,18}") && Long.parseLong(soft) >= OPEN_FILES);
        return enough
                ? Finding.ok("files", soft + " open files allowed")
                : Finding.warn("files", soft + " open files allowed", "raise it: ulimit -n 4096");
    }
}
