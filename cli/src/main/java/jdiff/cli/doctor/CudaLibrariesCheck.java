package jdiff.cli.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdiff.runtime.distributed.CudaRuntime;

/** The libraries that the CUDA build of libtorch needs beside it. */
final class CudaLibrariesCheck implements Check {
    /** What the native libraries of the CUDA build name as needed. */
    private static final List<String> NEEDED = List.of(
            "libcuda.so.1",
            "libcudart.so.13",
            "libcublas.so.13",
            "libcublasLt.so.13",
            "libcusparse.so.12",
            "libcusolver.so.12",
            "libcufft.so.12",
            "libcurand.so.10",
            "libcufile.so.0",
            "libcupti.so.13",
            "libcudnn.so.9",
            "libnccl.so.2");

    private static final List<String> FOLDERS = List.of(
            "/usr/local/cuda/lib64",
            "/usr/local/cuda/targets/x86_64-linux/lib",
            "/usr/lib/x86_64-linux-gnu",
            "/usr/lib64",
            "/lib/x86_64-linux-gnu",
            "/usr/local/nvidia/lib64");

    @Override
    public List<Finding> run(Machine machine) {
        if (!CudaRuntime.isCudaBuild()) {
            return List.of(Finding.ok(
                    "cuda",
                    "not in this build; for GPUs install CUDA 13, cuDNN 9 and NCCL 2 and build with"
                            + " JDIFF_BUILD_ARGS=-Pgpu scripts/jdiff doctor (downloads 0.5 GB)"));
        }
        List<Finding> findings = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (String library : NEEDED) {
            if (!found(machine, library)) {
                missing.add(library);
            }
        }
        findings.add(
                missing.isEmpty()
                        ? Finding.ok("cuda", String.join(" ", NEEDED))
                        : Finding.fail(
                                "cuda",
                                "not found: " + String.join(" ", missing),
                                "install CUDA 13, cuDNN 9 and NCCL 2, or add their folders to LD_LIBRARY_PATH (libcuda.so.1 comes"
                                        + " with the driver)"));
        return findings;
    }

    static boolean found(Machine machine, String library) {
        List<String> folders = new ArrayList<>(FOLDERS);
        String path = machine.variable("LD_LIBRARY_PATH");
        if (path != null) {
            folders.addAll(List.of(path.split(":", -1)));
        }
        for (String folder : folders) {
            if (folder.startsWith("/") && Files.exists(machine.path(folder).resolve(library))) {
                return true;
            }
        }
        // The loader's cache names every library of its configured folders.
        return machine.text("/etc/ld.so.cache").contains(library + "\0") || onClassPath(library);
    }

    private static boolean onClassPath(String library) {
        for (String preset : List.of("cuda", "pytorch")) {
            for (String platform : List.of("linux-x86_64", "linux-x86_64-gpu")) {
                Path name = Path.of("/org/bytedeco", preset, platform, library);
                if (CudaLibrariesCheck.class.getResource(name.toString()) != null) {
                    return true;
                }
            }
        }
        return false;
    }
}
