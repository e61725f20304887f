package jdiff.cli;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.natives.Natives;
import jdiff.runtime.tokenizer.TokenizerNatives;

/**
 * What scripts/jdiff laid out, as far as starting another JVM needs it. Without that script (tests, an IDE) this JVM's own class
 * path and no flags.
 *
 * @param java the java program of this JVM
 * @param flags for a worker, without class path: memory, output, class-data archive, where the native libraries are
 * @param classPath jdiff's jars; the archive fits only class paths that begin with these, in this order
 * @param nativesMarker exists once the native libraries are unpacked
 */
public record Installation(Path java, List<String> flags, List<String> classPath, Path nativesMarker) {
    public Installation {
        flags = List.copyOf(flags);
        classPath = List.copyOf(classPath);
    }

    /**
     * The installation that this JVM runs from.
     *
     * @throws IOException if its flags cannot be read or the class path lacks a native library
     */
    public static Installation ofThisJvm() throws IOException {
        List<String> flags = new ArrayList<>();
        String workerArgs = System.getProperty("jdiff.worker.args");
        if (workerArgs != null) {
            flags.addAll(Files.readAllLines(Path.of(workerArgs).resolveSibling("worker.flags")));
        }
        Path marker = Natives.marker();
        flags.add("-D" + Natives.PROPERTY + "=" + marker.getParent());
        flags.add("-D" + TokenizerNatives.DIRECTORY_PROPERTY + "=" + TokenizerNatives.folder());
        return new Installation(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                flags,
                List.of(System.getProperty("java.class.path").split(File.pathSeparator)),
                marker);
    }

    /** The process that makes {@link #nativesMarker()} appear; any number of them may run at once. */
    public List<String> prepareNatives() {
        return List.of(
                java.toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                String.join(File.pathSeparator, classPath),
                PrepareNatives.class.getName());
    }

    /** Unpacks all native libraries in this very process. */
    static Path unpackNatives() throws FaultException {
        // The tokenizers' first, since the marker of the others tells that all is there.
        TokenizerNatives.prepare();
        return Natives.prepare();
    }
}
