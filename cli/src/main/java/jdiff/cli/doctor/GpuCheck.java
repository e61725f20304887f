package jdiff.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import jdiff.launcher.host.Gpus;
import jdiff.runtime.distributed.CudaRuntime;
import org.jspecify.annotations.Nullable;

/** GPUs of the machine, those that this process may see, and the driver. */
final class GpuCheck implements Check {
    private static final int OLDEST_DRIVER = 580; // the first that runs CUDA 13

    @Override
    public List<Finding> run(Machine machine) {
        List<String> devices = machine.names("/dev", "nvidia[0-9]*");
        String visible = machine.variable("CUDA_VISIBLE_DEVICES");
        if (devices.isEmpty()) {
            return List.of(
                    visible == null || visible.isBlank()
                            ? Finding.ok("gpus", "none: jobs run on the CPU")
                            : Finding.warn(
                                    "gpus",
                                    "CUDA_VISIBLE_DEVICES=" + visible + ", but there is no /dev/nvidia0",
                                    "in a container, start it with its GPUs (--gpus all); else load the nvidia driver"));
        }
        List<Finding> findings = new ArrayList<>();
        findings.add(visible(devices, visible, Gpus.visible(machine.variables(), machine.path("/dev"))));
        findings.add(driver(machine));
        return findings;
    }

    private static Finding visible(List<String> devices, @Nullable String list, List<String> visible) {
        String text = devices.size() + " in /dev, CUDA_VISIBLE_DEVICES " + (list == null ? "unset" : "is " + list);
        if (visible.isEmpty()) {
            return Finding.warn("gpus", text, "this hides all GPUs; unset CUDA_VISIBLE_DEVICES to use them");
        }
        if (!CudaRuntime.isCudaBuild()) {
            return Finding.warn(
                    "gpus",
                    text + ", not used by this build",
                    "build with CUDA: JDIFF_BUILD_ARGS=-Pgpu scripts/jdiff doctor");
        }
        return Finding.ok("gpus", text);
    }

    private static Finding driver(Machine machine) {
        String version = driverVersion(machine.text("/proc/driver/nvidia/version"));
        if (version.isEmpty()) {
            return Finding.fail("driver", "the nvidia driver is not loaded", "install it or load the module nvidia");
        }
        int major = Integer.parseInt(version.substring(0, version.indexOf('.')));
        if (major < OLDEST_DRIVER) {
            return Finding.fail("driver", "version " + version, "CUDA 13 needs a driver of at least " + OLDEST_DRIVER);
        }
        return Finding.ok("driver", "version " + version);
    }

    /** From {@code NVRM version: NVIDIA UNIX .. Kernel Module  580.95.05  Release Build ..}. */
    static String driverVersion(String text) {
        for (String word : Machine.line(text, "NVRM version:").split("\\s+", -1)) {
            if (word.matches("\\d+\\.\\d+(\\.\\d+)?")) {
                return word;
            }
        }
        return "";
    }
}
