package jdiff.cli.launch;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import jdiff.cli.Installation;
import jdiff.launcher.Preparation;
import org.jspecify.annotations.Nullable;

/** What the installation and the user add to the JVMs of workers. */
final class WorkerJvm {
    static final String FLAGS_VARIABLE = "JDIFF_WORKER_JAVA_OPTS";

    private static final Pattern FIXED_PORT =
            Pattern.compile("(?:jdwp=.*address=(?:[^,]*:)?|jmxremote(?:\\.rmi)?\\.port=)([1-9][0-9]*)(?:,.*)?$");

    private @Nullable Installation known;

    /** What must be done on this node before workers start. */
    List<Preparation> preparations() throws IOException {
        Installation installation = installation();
        return List.of(
                new Preparation("native libraries", installation.nativesMarker(), installation.prepareNatives()));
    }

    List<String> installationFlags() throws IOException {
        return installation().flags();
    }

    /** Looked up once, and only for Java programs: it reads the directories of the native libraries' jars. */
    private Installation installation() throws IOException {
        Installation found = known;
        if (found == null) {
            found = Installation.ofThisJvm();
            known = found;
        }
        return found;
    }

    /** The environment's flags, then the command line's. A fixed debug or JMX port for several workers is refused. */
    static List<String> userFlags(List<String> options, Map<String, String> environment, int workers) {
        List<String> flags = new ArrayList<>(FlagWords.split(environment.getOrDefault(FLAGS_VARIABLE, "")));
        options.forEach(option -> flags.addAll(FlagWords.split(option)));
        for (String flag : flags) {
            if (workers > 1 && FIXED_PORT.matcher(flag).find()) {
                throw new IllegalArgumentException("JVM flag " + flag + " gives " + workers
                        + " workers the same port; use port 0 or put {local_rank} into it," + " as in 500{local_rank}");
            }
            if (flag.equals("-Xrs")) {
                throw new IllegalArgumentException(
                        "JVM flag -Xrs must not be used: workers could not be stopped in order");
            }
        }
        return flags;
    }

    /** jdiff's own jars, as absolute paths. */
    static List<String> ownClassPath() {
        return absolute(System.getProperty("java.class.path", ""));
    }

    static List<String> absolute(String classPath) {
        List<String> entries = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            if (!entry.isEmpty()) {
                entries.add(Path.of(entry).toAbsolutePath().toString());
            }
        }
        return entries;
    }

    static Path javaHome() {
        return Path.of(System.getProperty("java.home"));
    }
}
