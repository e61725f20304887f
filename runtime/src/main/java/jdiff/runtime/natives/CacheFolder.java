package jdiff.runtime.natives;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;

/**
 * The folder of what jdiff keeps between runs: {@code JDIFF_CACHE_DIR}, else {@code jdiff} in {@code XDG_CACHE_HOME}, else
 * {@code ~/.cache/jdiff}. Code is loaded from it, so it must belong to the user and be closed to others.
 */
public final class CacheFolder {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private CacheFolder() {}

    /** Where the folder is or would be; nothing is created or checked. */
    public static Path path() {
        return path(System.getenv(), System.getProperty("user.home", ""));
    }

    /**
     * As a shell reads {@code ~}: HOME, and only without it what the system says of the user.
     */
    static Path path(Map<String, String> environment, String systemHome) {
        String chosen = environment.getOrDefault("JDIFF_CACHE_DIR", "");
        if (!chosen.isEmpty()) {
            return Path.of(chosen).toAbsolutePath();
        }
        String caches = environment.getOrDefault("XDG_CACHE_HOME", "");
        String home = environment.getOrDefault("HOME", "").startsWith("/") ? environment.get("HOME") : systemHome;
        // The XDG rules: a relative path is no path.
        return (caches.startsWith("/") ? Path.of(caches) : Path.of(home, ".cache"))
                .resolve("jdiff")
                .toAbsolutePath();
    }

    /**
     * The folder, created if needed, with symbolic links resolved.
     *
     * @throws FaultException REFUSED if it is not the user's own or open to others, CONFIG if it lies where nothing may be
     *     executed, OUTPUT if it cannot be created
     */
    public static Path open() throws FaultException {
        return open(path());
    }

    /** As {@link #open()}, for another folder that code is loaded from. */
    public static Path open(Path folder) throws FaultException {
        return guarded(folder, () -> {
            Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
            return required(folder);
        });
    }

    /**
     * Checks what {@link #open()} would, and creates nothing.
     *
     * @return the folder, or where it does not exist yet the one above it that does
     * @throws FaultException as {@link #open()}
     */
    public static Path check() throws FaultException {
        return check(path());
    }

    static Path check(Path folder) throws FaultException {
        return guarded(folder, () -> {
            if (Files.exists(folder)) {
                return required(folder);
            }
            Path above = folder;
            while (above.getParent() != null && !Files.exists(above)) {
                above = above.getParent();
            }
            if (!Files.isWritable(above)) {
                throw new IOException(above + " is not writable");
            }
            requireExecution(above.toRealPath());
            return above;
        });
    }

    private interface Step {
        Path run() throws IOException;
    }

    private static Path guarded(Path folder, Step step) throws FaultException {
        try {
            return step.run();
        } catch (FaultException e) {
            throw e;
        } catch (IOException e) {
            throw new FaultException(
                    Fault.OUTPUT,
                    "the cache folder " + folder + " cannot be used (" + e
                            + "); set JDIFF_CACHE_DIR to a folder of your own",
                    e);
        }
    }

    private static Path required(Path folder) throws IOException {
        Path real = folder.toRealPath();
        requireOurs(real);
        requireExecution(real);
        return real;
    }

    private static void requireExecution(Path folder) throws IOException {
        Mounts.of(Path.of("/proc/self/mountinfo")).requireExecution(folder);
    }

    private static void requireOurs(Path folder) throws IOException {
        var owner = Files.getOwner(folder);
        var user = Files.getOwner(Path.of("/proc/self"));
        if (!owner.equals(user)) {
            throw new FaultException(
                    Fault.REFUSED,
                    "the cache folder " + folder + " belongs to " + owner + ", not to " + user
                            + "; programs are loaded from it, so set JDIFF_CACHE_DIR to a folder of your own");
        }
        Set<PosixFilePermission> open = EnumSet.copyOf(Files.getPosixFilePermissions(folder));
        open.removeAll(OWNER_ONLY);
        if (!open.isEmpty()) {
            throw new FaultException(
                    Fault.REFUSED,
                    "the cache folder " + folder + " has mode "
                            + PosixFilePermissions.toString(Files.getPosixFilePermissions(folder))
                            + ", others may reach it; programs are loaded from it, so run: chmod 700 " + folder);
        }
    }
}
