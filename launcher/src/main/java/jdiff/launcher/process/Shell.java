package jdiff.launcher.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How children are started: through {@code setsid} and {@code /bin/sh}, in a session of their own and only after the line
 * {@code go}. Where one of the two is missing, children are started directly and these guarantees are lost.
 */
final class Shell {
    private static final Path SH = Path.of("/bin/sh");

    /** A child whose launcher dies before {@code go} ends here. */
    private static final String AWAIT_GO = "read -r word && [ \"$word\" = go ] || exit 125; ";

    private final Optional<Path> setsid;

    private Shell(Optional<Path> setsid) {
        this.setsid = setsid;
    }

    static Shell find(Map<String, String> environment) {
        Optional<Path> setsid = Files.isExecutable(SH)
                ? Executables.find("setsid", environment.getOrDefault("PATH", "/usr/bin:/bin"))
                : Optional.empty();
        return new Shell(setsid);
    }

    boolean isAvailable() {
        return setsid.isPresent();
    }

    /** Results go to descriptor 3, the child's stdout becomes its stderr, its stdin stays the control pipe. */
    List<String> javaWorker(List<String> command) {
        return wrap(AWAIT_GO + "exec 3>&1 1>&2; exec \"$@\"", command);
    }

    List<String> program(List<String> command) {
        return wrap(AWAIT_GO + "exec \"$@\" </dev/null", command);
    }

    List<String> script(String script, String... arguments) {
        return wrap(script, List.of(arguments));
    }

    private List<String> wrap(String script, List<String> arguments) {
        if (setsid.isEmpty()) {
            return arguments;
        }
        List<String> command = new ArrayList<>(List.of(setsid.get().toString(), SH.toString(), "-c", script, "jdiff"));
        command.addAll(arguments);
        return command;
    }
}
