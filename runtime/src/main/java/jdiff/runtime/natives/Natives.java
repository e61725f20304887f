package jdiff.runtime.natives;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import org.jspecify.annotations.Nullable;

/**
 * libtorch on this machine: unpacked once into the cache, loaded from there.
 *
 * <p>JavaCPP's own loader is passed by. It looks through all jars, makes symbolic links and, where the time zone differs from
 * that of the first start, unpacks anew beside running workers; and it maps OpenBLAS three times. Loading the same libraries
 * here takes 0.2 s and 90 MB less. The property {@code jdiff.natives=javacpp} brings its loader back, for programs that use
 * other JavaCPP libraries as well; the CUDA build always uses it.
 */
public final class Natives {
    /** System property: a folder that {@link #prepare()} returned, so that a worker need not look for it, or {@code javacpp}. */
    public static final String PROPERTY = "jdiff.natives";

    private static final String JAVACPP = "javacpp";
    private static final String JAVACPP_CACHE = "org.bytedeco.javacpp.cachedir";
    private static boolean loaded;

    private Natives() {}

    /**
     * The file that exists once {@link #prepare()} is done; its folder is what that returns. Looks at the jars, creates nothing.
     *
     * @throws FaultException CONFIG if the class path lacks a library
     */
    public static Path marker() throws FaultException {
        return Unpacking.marker(folder(CacheFolder.path()));
    }

    /**
     * The folder of the libraries, unpacked into the cache if they are not there yet. Any number of processes may call this at
     * once.
     *
     * @throws FaultException as {@link CacheFolder#open()}; CONFIG if the class path lacks a library, OUTPUT if the disk is full
     */
    public static Path prepare() throws FaultException {
        Path folder = folder(CacheFolder.open());
        if (!Unpacking.complete(folder)) {
            if (cuda()) {
                Unpacking.inPlace(folder, Natives::loadByJavacpp);
            } else {
                Unpacking.into(folder, NativeLibrary.ALL);
            }
        }
        return folder;
    }

    /**
     * Loads libtorch into this process, once, before the first class of JavaCPP is used.
     *
     * @throws FaultException as {@link #prepare()}; CONFIG if a library does not load
     */
    public static synchronized void load() throws FaultException {
        if (loaded) {
            return;
        }
        String chosen = System.getProperty(PROPERTY, "");
        // A second libtorch in one process would end in a crash.
        if (chosen.equals(JAVACPP) || loadedByJavacpp()) {
            loaded = true;
            return;
        }
        Path folder = chosen.isEmpty() ? prepare() : Path.of(chosen);
        if (cuda()) {
            System.setProperty(JAVACPP_CACHE, folder.toString());
            loaded = true;
            return;
        }
        System.setProperty("org.bytedeco.javacpp.loadLibraries", "false");
        for (NativeLibrary library : NativeLibrary.ALL) {
            if (library.loaded()) {
                load(folder.resolve(library.fileName()));
            }
        }
        loaded = true;
    }

    /**
     * As {@link #load()}, for static initialisers of classes that call libtorch: whoever starts a process calls {@code load}
     * first and can show the fault; this serves those who did not.
     *
     * @throws UncheckedIOException with the fault as its cause
     */
    public static void ensure() {
        try {
            load();
        } catch (FaultException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    private static void load(Path library) throws FaultException {
        try {
            System.load(library.toString());
        } catch (UnsatisfiedLinkError e) {
            throw new FaultException(
                    Fault.CONFIG,
                    library + " cannot be loaded: " + e.getMessage() + "; if a file is damaged, remove "
                            + library.getParent()
                            + " and start again. libtorch needs glibc 2.28 or newer and libstdc++",
                    e);
        }
    }

    private static boolean cuda() throws FaultException {
        try {
            return NativeJar.holding(NativeLibrary.CUDA.resource()) != null;
        } catch (IOException e) {
            throw new FaultException(Fault.CONFIG, String.valueOf(e.getMessage()), e);
        }
    }

    /** JavaCPP unpacks what it loads; it must not do so in several processes at once. */
    private static void loadByJavacpp(Path folder) throws FaultException {
        System.setProperty(JAVACPP_CACHE, folder.toString());
        try {
            for (String bindings : List.of("torch", "torch_gloo", "torch_cuda", "torch_nccl")) {
                Class.forName("org.bytedeco.pytorch.global." + bindings);
            }
        } catch (ClassNotFoundException | LinkageError e) {
            throw new FaultException(
                    Fault.CONFIG,
                    "the CUDA build of libtorch does not load: " + e.getMessage()
                            + "; `jdiff doctor` tells what this machine lacks for it",
                    e);
        }
    }

    private static boolean loadedByJavacpp() throws FaultException {
        try (Stream<String> mappings = Files.lines(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1)) {
            return mappings.anyMatch(mapping -> mapping.endsWith("/libjnitorch.so"));
        } catch (IOException | UncheckedIOException e) {
            throw new FaultException(Fault.IO, "/proc/self/maps cannot be read: " + e.getMessage(), e);
        }
    }

    private static Path folder(Path cache) throws FaultException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (NativeJar jar : jars()) {
                jar.addTo(digest);
            }
            String key = HexFormat.of().formatHex(digest.digest(), 0, 8);
            return cache.resolve("natives").resolve(key);
        } catch (FaultException e) {
            throw e;
        } catch (IOException e) {
            throw new FaultException(Fault.IO, "the jars of the native libraries cannot be read: " + e.getMessage(), e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Collection<NativeJar> jars() throws IOException {
        Map<Path, NativeJar> jars = new LinkedHashMap<>();
        for (NativeLibrary library : cuda() ? List.of(NativeLibrary.CUDA) : NativeLibrary.ALL) {
            @Nullable NativeJar jar = NativeJar.holding(library.resource());
            if (jar == null) {
                throw new FaultException(
                        Fault.CONFIG,
                        "the class path has no " + library.resource()
                                + "; it must hold jdiff's jars, those for linux-x86_64 included");
            }
            jars.put(jar.path(), jar);
        }
        return jars.values();
    }
}
