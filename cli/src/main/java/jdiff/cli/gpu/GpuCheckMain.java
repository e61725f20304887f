package jdiff.cli.gpu;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdiff.cli.doctor.Checks;
import jdiff.cli.doctor.Finding;
import jdiff.cli.doctor.Machine;
import jdiff.runtime.distributed.CudaRuntime;
import jdiff.runtime.distributed.TransportCheck;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.tensor.Device;

/**
 * Compares CUDA with the CPU and with Diffusers, and prints a table. Without a usable GPU it says what is missing and runs the
 * CPU's half. Exit code 0: all good; 1: a row failed; 78: no GPU was tested.
 */
public final class GpuCheckMain {
    private static final List<String> CASES = List.of("qwen_image", "qwen_image_batch", "demo_model");

    private GpuCheckMain() {}

    /**
     * Prints the table and exits.
     *
     * @param args the repository's folder, then names of cases (default: all)
     */
    public static void main(String[] args) throws IOException {
        Path root = Path.of(args[0]);
        List<String> cases = args.length > 1 ? List.of(args).subList(1, args.length) : CASES;
        System.exit(run(root, cases, System.out));
    }

    static int run(Path root, List<String> cases, PrintStream out) throws IOException {
        int gpus;
        try {
            gpus = CudaRuntime.deviceCount();
        } catch (LinkageError e) {
            sayWhatIsMissing(out);
            return Fault.CONFIG.exitCode();
        }
        if (gpus == 0) {
            sayWhatIsMissing(out);
        } else {
            CudaRuntime.devices()
                    .forEach(memory -> out.printf(
                            "cuda:%d has %d of %d MiB free%n",
                            memory.index(), memory.freeBytes() >> 20, memory.totalBytes() >> 20));
        }
        List<Device> devices = gpus > 0 ? List.of(Device.CPU, Device.cuda(0)) : List.of(Device.CPU);
        boolean good = true;
        for (Device device : devices) {
            List<String> failures = TransportCheck.run(device);
            out.println("collectives on " + device + ": " + (failures.isEmpty() ? "ok" : "FAILED"));
            failures.forEach(failure -> out.println("  " + failure));
            good &= failures.isEmpty();
        }
        out.println(Row.HEADER.stripTrailing());
        for (Row row : rows(root, cases, devices)) {
            out.println(row.line());
            good &= row.isGood();
        }
        if (!good) {
            return Fault.ERROR.exitCode();
        }
        return gpus > 0 ? 0 : Fault.CONFIG.exitCode();
    }

    private static void sayWhatIsMissing(PrintStream out) {
        out.println("no GPU can be used; what jdiff doctor says:");
        for (Finding finding : Checks.run(Machine.here())) {
            if (finding.status() != Finding.Status.OK
                    || finding.name().equals("gpus")
                    || finding.name().equals("cuda")) {
                out.println("  " + finding.status().word() + " " + finding.name() + ": " + finding.text());
                if (!finding.advice().isEmpty()) {
                    out.println("      -> " + finding.advice());
                }
            }
        }
    }

    private static List<Row> rows(Path root, List<String> cases, List<Device> devices) throws FaultException {
        Path golden = root.resolve("runtime/src/test/resources/golden");
        Comparison comparison = new Comparison(devices);
        List<Row> rows = new ArrayList<>();
        for (String name : cases) {
            rows.addAll(comparison.rows(GoldenCase.read(golden, root.resolve("models/demo"), name)));
        }
        return rows;
    }
}
