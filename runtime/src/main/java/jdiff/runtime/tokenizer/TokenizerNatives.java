package jdiff.runtime.tokenizer;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.jar.JarEntry;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.natives.CacheFolder;

/**
 * The native library of the tokenizers: unpacked once into our own cache, then loaded from there. The binding's own loader is
 * passed by, since it keeps a cache in the home directory, looks for GPUs, may download, and brings a logging system along; its
 * JNI class needs only the library.
 */
public final class TokenizerNatives {
    /** System property: the folder for the library, instead of {@code tokenizers} in the {@link CacheFolder}. */
    public static final String DIRECTORY_PROPERTY = "jdiff.tokenizers.dir";

    private static boolean loaded;

    private TokenizerNatives() {}

    /** Where the library lies or will lie; nothing is created or checked. */
    public static Path folder() {
        String chosen = System.getProperty(DIRECTORY_PROPERTY, "");
        return chosen.isEmpty() ? CacheFolder.path().resolve("tokenizers") : Path.of(chosen);
    }

    /**
     * Unpacks the library into {@link #folder} unless it is there, and returns its path. The file appears whole or not at all,
     * whoever else does the same; its name tells size and checksum, so that another version never takes its place.
     *
     * @throws FaultException as {@link CacheFolder#open()}; CONFIG on a platform without a library
     */
    public static Path prepare() throws FaultException {
        if (System.getProperty(DIRECTORY_PROPERTY, "").isEmpty()) {
            CacheFolder.open(); // the folder around ours is trusted as well
        }
        return prepare(folder());
    }

    static Path prepare(Path folder) throws FaultException {
        Path cacheDir = CacheFolder.open(folder);
        try {
            JarEntry entry = entry();
            Path library = cacheDir.resolve(
                    "libtokenizers-" + Long.toHexString(entry.getCrc()) + "-" + entry.getSize() + ".so");
            if (!Files.isRegularFile(library) || Files.size(library) != entry.getSize()) {
                unpack(cacheDir, library, entry.getSize());
            }
            return library;
        } catch (FaultException e) {
            throw e;
        } catch (IOException e) {
            throw new FaultException(
                    Fault.OUTPUT,
                    "the tokenizer library cannot be unpacked into " + cacheDir + ": " + e.getMessage(),
                    e);
        }
    }

    /** Loads the library into this process, once; unpacks it where nobody has yet. */
    public static synchronized void load() throws FaultException {
        if (loaded) {
            return;
        }
        Path library = prepare();
        try {
            System.load(library.toAbsolutePath().toString());
        } catch (UnsatisfiedLinkError e) {
            throw new FaultException(Fault.CONFIG, library + " cannot be loaded: " + e.getMessage(), e);
        }
        loaded = true;
    }

    private static URL resource() throws FaultException {
        String arch = System.getProperty("os.arch").equals("amd64") ? "x86_64" : System.getProperty("os.arch");
        URL url = System.getProperty("os.name").equals("Linux")
                ? TokenizerNatives.class
                        .getClassLoader()
                        .getResource("native/lib/linux-" + arch + "/cpu/libtokenizers.so")
                : null;
        if (url == null) {
            throw new FaultException(
                    Fault.CONFIG,
                    "no tokenizer library for " + System.getProperty("os.name") + " on " + arch
                            + "; jdiff runs on Linux, x86_64 or aarch64");
        }
        return url;
    }

    private static JarEntry entry() throws IOException {
        if (resource().openConnection() instanceof JarURLConnection connection) {
            JarEntry entry = connection.getJarEntry();
            if (entry != null && entry.getSize() > 0) {
                return entry;
            }
        }
        throw new IOException("the library is not in a jar: " + resource());
    }

    private static void unpack(Path cacheDir, Path library, long size) throws IOException {
        Path temporary = Files.createTempFile(cacheDir, ".libtokenizers", ".tmp");
        try (InputStream in = resource().openStream()) {
            long copied = Files.copy(in, temporary, StandardCopyOption.REPLACE_EXISTING);
            if (copied != size) {
                throw new IOException("unpacked " + copied + " of " + size + " bytes");
            }
            try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            Files.move(temporary, library, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}
