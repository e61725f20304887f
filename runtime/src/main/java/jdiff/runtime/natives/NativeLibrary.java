package jdiff.runtime.natives;

import java.util.List;

/**
 * One library in a jar.
 *
 * @param resource its name on the class path
 * @param loaded whether Java loads it; the others are found beside these by the dynamic linker
 */
record NativeLibrary(String resource, boolean loaded) {
    private static final String PLATFORM = "/linux-x86_64/";

    /**
     * libtorch and what it needs, in the order of loading. Not among them: the C interface of OpenBLAS (24 MB, loaded by
     * JavaCPP's own loader but never called by libtorch) and libgcc_s, which every system with libstdc++ has.
     */
    static final List<NativeLibrary> ALL = List.of(
            new NativeLibrary("org/bytedeco/javacpp" + PLATFORM + "libjnijavacpp.so", true),
            // First of the numeric ones: libgfortran has no search path of its own by which to find it.
            new NativeLibrary("org/bytedeco/openblas" + PLATFORM + "libquadmath.so.0", true),
            new NativeLibrary("org/bytedeco/openblas" + PLATFORM + "libgfortran.so.5", false),
            new NativeLibrary("org/bytedeco/openblas" + PLATFORM + "libopenblas.so.0", false),
            new NativeLibrary("org/bytedeco/pytorch" + PLATFORM + "libgomp.so.1", false),
            new NativeLibrary("org/bytedeco/pytorch" + PLATFORM + "libc10.so", false),
            new NativeLibrary("org/bytedeco/pytorch" + PLATFORM + "libtorch_cpu.so", false),
            new NativeLibrary("org/bytedeco/pytorch" + PLATFORM + "libtorch.so", false),
            new NativeLibrary("org/bytedeco/pytorch" + PLATFORM + "libjnitorch.so", true),
            new NativeLibrary("org/bytedeco/pytorch" + PLATFORM + "libjnitorch_gloo.so", true));

    /** Stands for the CUDA build of libtorch, whose further libraries only JavaCPP's own loader knows how to find. */
    static final NativeLibrary CUDA = new NativeLibrary("org/bytedeco/pytorch/linux-x86_64-gpu/libjnitorch.so", false);

    String fileName() {
        return resource.substring(resource.lastIndexOf('/') + 1);
    }
}
