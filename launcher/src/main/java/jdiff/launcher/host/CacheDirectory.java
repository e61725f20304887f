package jdiff.launcher.host;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import jdiff.launcher.Cause;
import jdiff.launcher.LaunchException;

/**
 * Where native libraries and other caches of this user lie: JDIFF_CACHE_DIR, else {@code jdiff} in XDG_CACHE_HOME or
 * {@code ~/.cache}. Libraries are loaded from there, so nobody else may be able to write to it.
 */
public final class CacheDirectory {
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");

    private CacheDirectory() {}

    /** The path by the rule above; nothing is created or checked. */
    public static Path locate(Map<String, String> environment, Path home) {
        String own = environment.getOrDefault("JDIFF_CACHE_DIR", "");
        if (!own.isEmpty()) {
            return Path.of(own).toAbsolutePath();
        }
        String xdg = environment.getOrDefault("XDG_CACHE_HOME", "");
        Path base = xdg.isEmpty() || !Path.of(xdg).isAbsolute() ? home.resolve(".cache") : Path.of(xdg);
        return base.resolve("jdiff").toAbsolutePath();
    }

    /**
     * Creates the directory (0700) if it is missing and checks it: a real directory, of this user, mode 0700 (else refused, 77),
     * on a file system that allows execution (else 78).
     */
    public static Path open(Path directory) throws LaunchException {
        try {
            if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
                create(directory);
            }
            check(directory);
            return directory;
        } catch (LaunchException e) {
            throw e;
        } catch (IOException e) {
            throw new LaunchException(
                    Cause.OUTPUT,
                    "the cache directory " + directory + " cannot be used (" + e.getMessage()
                            + "); set JDIFF_CACHE_DIR to a directory you can write to",
                    e);
        }
    }

    private static void create(Path directory) throws IOException {
        Path parent = directory.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        try {
            Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(PRIVATE));
        } catch (java.nio.file.FileAlreadyExistsException e) {
            return; // Another launcher was first; the checks below look at its work.
        }
    }

    private static void check(Path directory) throws IOException {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            throw refused(directory, "it is a link or no directory", "remove it");
        }
        Object owner = Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        Object self = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        if (!owner.equals(self)) {
            throw refused(directory, "it belongs to user " + owner + ", not to you (" + self + ")", "use another one");
        }
        var mode = Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS);
        if (!mode.equals(PRIVATE)) {
            throw refused(directory, "its mode is " + PosixFilePermissions.toString(mode), "chmod 700 it");
        }
        if (isNoexec(Files.getFileStore(directory))) {
            throw new LaunchException(
                    Cause.CONFIG,
                    "the cache directory " + directory
                            + " is on a file system mounted noexec, so native libraries cannot be"
                            + " loaded from it; set JDIFF_CACHE_DIR to a directory elsewhere");
        }
    }

    /** The store's text is "mount point (device)": its mount point is looked up for its options. */
    private static boolean isNoexec(FileStore store) throws IOException {
        String text = store.toString();
        int end = text.lastIndexOf(" (");
        String mountPoint = end < 0 ? text : text.substring(0, end);
        boolean noexec = false;
        for (String line : Files.readAllLines(Path.of("/proc/self/mounts"))) {
            String[] fields = line.split(" ", -1);
            if (fields.length > 3 && fields[1].replace("\\040", " ").equals(mountPoint)) {
                noexec = java.util.Arrays.asList(fields[3].split(",")).contains("noexec");
            }
        }
        return noexec;
    }

    private static LaunchException refused(Path directory, String found, String advice) {
        return new LaunchException(
                Cause.REFUSED,
                "the cache directory " + directory
                        + " must be a directory of yours with mode 0700, since libraries are loaded" + " from it; "
                        + found + ": " + advice + ", or set JDIFF_CACHE_DIR");
    }
}
