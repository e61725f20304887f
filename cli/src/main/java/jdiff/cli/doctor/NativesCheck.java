package jdiff.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdiff.runtime.distributed.CudaRuntime;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.natives.CacheFolder;

/** The jars with native libraries and the folder that they are unpacked to. */
final class NativesCheck implements Check {
    private static final String CPU = "/org/bytedeco/pytorch/linux-x86_64/libtorch_cpu.so";
    private static final String BLAS = "/org/bytedeco/openblas/linux-x86_64/libopenblas.so.0";
    private static final long NEEDED_BYTES = 1L << 30;

    @Override
    public List<Finding> run(Machine machine) {
        List<Finding> findings = new ArrayList<>();
        boolean cuda = CudaRuntime.isCudaBuild();
        boolean cpu = NativesCheck.class.getResource(CPU) != null;
        if (!cuda && !cpu) {
            findings.add(
                    Finding.fail("natives", "libtorch is not on the class path", "build again with scripts/jdiff"));
        } else if (NativesCheck.class.getResource(BLAS) == null) {
            findings.add(
                    Finding.fail("natives", "OpenBLAS is not on the class path", "build again with scripts/jdiff"));
        } else {
            findings.add(Finding.ok("natives", cuda ? "libtorch with CUDA" : "libtorch for the CPU"));
        }
        findings.add(cache());
        return findings;
    }

    private static Finding cache() {
        Path cache = CacheFolder.path();
        try {
            long free = Files.getFileStore(CacheFolder.check()).getUsableSpace();
            if (free < NEEDED_BYTES) {
                return Finding.warn(
                        "cache",
                        cache + " has " + Machine.gib(free) + " left",
                        "unpacking libtorch takes about 1 GiB (5 GiB with CUDA); free some or set JDIFF_CACHE_DIR");
            }
            return Finding.ok("cache", cache + ", " + Machine.gib(free) + " free");
        } catch (FaultException e) {
            return Finding.fail("cache", String.valueOf(e.getMessage()), "");
        } catch (IOException e) {
            return Finding.warn("cache", cache + ": " + e.getMessage(), "set JDIFF_CACHE_DIR to a local folder");
        }
    }
}
