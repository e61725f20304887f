package jdiff.launcher.process;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import jdiff.launcher.Cause;
import jdiff.launcher.LaunchException;

/** Finds programs as a shell does. */
final class Executables {
    private Executables() {}

    static Optional<Path> find(String name, String searchPath) {
        for (String directory : searchPath.split(":", -1)) {
            Path file = Path.of(directory.isEmpty() ? "." : directory).resolve(name);
            if (Files.isRegularFile(file) && Files.isExecutable(file)) {
                return Optional.of(file);
            }
        }
        return Optional.empty();
    }

    /** Fails with 127 if a program does not exist and with 126 if it cannot be executed. */
    static void check(String program, String searchPath) throws LaunchException {
        if (program.indexOf('/') < 0) {
            if (find(program, searchPath).isEmpty()) {
                throw new LaunchException(Cause.NOT_FOUND, "program '" + program + "' was not found in PATH");
            }
            return;
        }
        Path file;
        try {
            file = Path.of(program);
        } catch (InvalidPathException e) {
            throw new LaunchException(Cause.NOT_FOUND, "program '" + program + "' is not a possible file name", e);
        }
        if (!Files.exists(file)) {
            throw new LaunchException(Cause.NOT_FOUND, "program '" + program + "' does not exist");
        }
        if (Files.isDirectory(file) || !Files.isExecutable(file)) {
            String found =
                    Files.isDirectory(file) ? "a directory" : "not executable; chmod +x it or name its interpreter";
            throw new LaunchException(Cause.NOT_EXECUTABLE, "program '" + program + "' is " + found);
        }
    }
}
