package jdiff.launcher.process;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import jdiff.launcher.Cause;
import jdiff.launcher.LaunchException;
import jdiff.launcher.report.Reasons;
import org.apache.logging.log4j.LogManager;
import org.jspecify.annotations.Nullable;

/** A private directory of one launch (0700, unpredictable name), for argument files, compiled programs and error files. */
final class RunDirectory {
    private static final String PREFIX = "jdiff-";

    private final Path path;

    private RunDirectory(Path path) {
        this.path = path;
    }

    static RunDirectory create(Map<String, String> environment) throws LaunchException {
        Path base = base(environment);
        try {
            return new RunDirectory(Files.createTempDirectory(
                    base, PREFIX, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))));
        } catch (IOException e) {
            throw new LaunchException(
                    Cause.OUTPUT,
                    "no directory for temporary files can be made in " + base + " (" + Reasons.of(e)
                            + "); set TMPDIR to one" + " you can write to",
                    e);
        }
    }

    /** TMPDIR, which the JDK ignores, else {@code /tmp}. */
    static Path base(Map<String, String> environment) {
        String tmpdir = environment.getOrDefault("TMPDIR", "");
        return Path.of(tmpdir.isEmpty() ? "/tmp" : tmpdir).toAbsolutePath();
    }

    Path path() {
        return path;
    }

    /** Crash files of JVMs in a directory. */
    static List<Path> crashFiles(Path directory) {
        List<Path> files = new ArrayList<>();
        try (var found = Files.newDirectoryStream(directory, "hs_err_*.log")) {
            found.forEach(files::add);
        } catch (IOException | DirectoryIteratorException e) {
            return files;
        }
        return files;
    }

    /** Removes the directory; a crash file in it keeps it. */
    void remove() {
        if (!crashFiles(path).isEmpty()) {
            return;
        }
        try {
            Files.walkFileTree(path, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e) throws IOException {
                    Files.delete(directory);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            LogManager.getLogger().debug("removing {}", path, e);
        }
    }
}
