package jdiff.launcher;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What each rank runs. */
public sealed interface Program {
    /** How the program is called in messages, for instance {@code generate} or {@code Hello.java}. */
    String label();

    /**
     * A Java worker, started through an entry class that knows the control pipe.
     *
     * @param verb whether it is one of jdiff's own verbs: only then are 75 and 79 no failures
     * @param entry main class of the entry
     * @param arguments arguments of the entry, the user's last
     * @param classPath the user's class path first, then jdiff's own
     * @param installationFlags JVM flags that the installation adds (native cache, BLAS, class-data archive)
     * @param userFlags JVM flags of the user, last, so that they win; may hold {@code {rank}}, {@code {local_rank}},
     *     {@code {attempt}}
     * @param source a source file that is compiled once before the workers start, or null
     */
    record Java(
            String label,
            boolean verb,
            Path javaHome,
            String entry,
            List<String> arguments,
            List<String> classPath,
            List<String> installationFlags,
            List<String> userFlags,
            @Nullable JavaSource source)
            implements Program {
        public Java {
            arguments = List.copyOf(arguments);
            classPath = List.copyOf(classPath);
            installationFlags = List.copyOf(installationFlags);
            userFlags = List.copyOf(userFlags);
        }

        public Path executable() {
            return javaHome.resolve("bin").resolve("java");
        }
    }

    /** Any executable with its arguments; its standard input is empty. */
    record Executable(List<String> command) implements Program {
        public Executable {
            command = List.copyOf(command);
            if (command.isEmpty()) {
                throw new IllegalArgumentException("--no-java needs a program to run");
            }
        }

        @Override
        public String label() {
            return command.get(0);
        }
    }
}
