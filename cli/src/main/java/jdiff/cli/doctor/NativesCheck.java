package jdiff.cli.doctor;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import jdiff.runtime.distributed.CudaRuntime;
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
        Path existing = cache;
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        try {
            if (!Files.isWritable(existing)) {
                return Finding.fail(
                        "cache", existing + " is not writable", "set JDIFF_CACHE_DIR to a folder of your own");
            }
            FileStore disk = Files.getFileStore(existing);
            if (disk.getUsableSpace() < NEEDED_BYTES) {
                return Finding.warn(
                        "cache",
                        cache + " has " + Machine.gib(disk.getUsableSpace()) + " left",
                        "unpacking libtorch takes about 1 GiB (5 GiB with CUDA); free some or set JDIFF_CACHE_DIR");
            }
            if (!allowsExecution(existing)) {
                return Finding.fail(
                        "cache",
                        existing + " is on a file system mounted noexec",
                        "libraries cannot be loaded from there; set JDIFF_CACHE_DIR to another folder");
            }
            Set<PosixFilePermission> mode = Files.getPosixFilePermissions(existing);
            if (mode.contains(PosixFilePermission.OTHERS_WRITE) && existing.equals(cache)) {
                return Finding.fail("cache", cache + " can be written by others", "chmod 700 " + cache);
            }
            return Finding.ok("cache", cache + ", " + Machine.gib(disk.getUsableSpace()) + " free");
        } catch (IOException | UnsupportedOperationException e) {
            return Finding.warn("cache", existing + ": " + e.getMessage(), "set JDIFF_CACHE_DIR to a local folder");
        }
    }

    /** Tries it: mount options do not tell the whole story in containers. */
    private static boolean allowsExecution(Path folder) throws IOException {
        Path probe = Files.createTempFile(folder, "exec", ".probe");
        try {
            return probe.toFile().setExecutable(true) && Files.isExecutable(probe);
        } finally {
            Files.delete(probe);
        }
    }
}
