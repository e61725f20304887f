package jdiff.cli.doctor;

import java.util.List;
import jdiff.runtime.distributed.LibtorchInfo;

/** Whether libtorch loads, and what it is. */
final class LibtorchCheck implements Check {
    @Override
    public List<Finding> run(Machine machine) {
        LibtorchInfo info;
        try {
            info = LibtorchInfo.load();
        } catch (LinkageError e) {
            return List.of(Finding.fail(
                    "libtorch",
                    cause(e),
                    "a library is missing or was damaged: delete the cache folder named above and try again; with the CUDA"
                            + " build, the CUDA libraries below must be found"));
        }
        String text = info.version() + ", kernels " + info.cpuCapability() + ", BLAS " + info.blas() + ", "
                + info.threads() + (info.threads() == 1 ? " thread" : " threads")
                + (info.cudaBuild() ? ", CUDA with " + info.cudaDevices() + " devices" : ", no CUDA");
        if (info.cpuCapability().equals("DEFAULT")) {
            return List.of(Finding.warn(
                    "libtorch", text, "this CPU has no AVX2, or ATEN_CPU_CAPABILITY is set: it will be slow"));
        }
        return List.of(Finding.ok("libtorch", text));
    }

    /** JavaCPP's own message hides which library is missing; the first failure says it. */
    private static String cause(LinkageError failure) {
        Throwable deepest = failure;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return String.valueOf(deepest.getMessage()).lines().findFirst().orElse("does not load");
    }
}
