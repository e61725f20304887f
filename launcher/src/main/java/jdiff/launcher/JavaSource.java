package jdiff.launcher;

import java.nio.file.Path;
import java.util.List;

/**
 * A single-file program, compiled once by a child process.
 *
 * @param compileClassPath jdiff's jars and the user's class path
 */
public record JavaSource(Path file, Path javaHome, List<String> compileClassPath) {
    /** Stands in the entry's arguments for the class name, which is known once the file is compiled. */
    public static final String MAIN_CLASS = "{main-class}";

    public JavaSource {
        compileClassPath = List.copyOf(compileClassPath);
    }
}
