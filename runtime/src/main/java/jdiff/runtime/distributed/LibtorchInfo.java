package jdiff.runtime.distributed;

import jdiff.runtime.natives.Natives;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.pytorch.global.torch;

/**
 * The libtorch of this process, for diagnosis.
 *
 * @param version for instance {@code 2.10.0}
 * @param cpuCapability widest instructions that its kernels use here, for instance {@code AVX512}
 * @param blas library of its matrix products
 * @param threads of one operation
 * @param cudaBuild whether it was built with CUDA
 * @param cudaDevices that it can use
 */
public record LibtorchInfo(
        String version, String cpuCapability, String blas, int threads, boolean cudaBuild, int cudaDevices) {
    /**
     * Loads the native libraries.
     *
     * @throws LinkageError if one of them or one that they need is missing
     */
    public static LibtorchInfo load() {
        Natives.ensure();
        String config = text(torch.show_config());
        return new LibtorchInfo(
                setting(config, "TORCH_VERSION="),
                text(torch.get_cpu_capability()),
                setting(config, "BLAS_INFO="),
                torch.get_num_threads(),
                config.contains("USE_CUDA=1") || config.contains("USE_CUDA=ON"),
                CudaRuntime.deviceCount());
    }

    private static String text(BytePointer pointer) {
        return pointer.getString();
    }

    /** The value behind {@code name} in libtorch's list of build settings. */
    static String setting(String config, String name) {
        int start = config.indexOf(name);
        if (start < 0) {
            return "unknown";
        }
        int from = start + name.length();
        int comma = config.indexOf(',', from);
        return (comma < 0 ? config.substring(from) : config.substring(from, comma)).strip();
    }
}
