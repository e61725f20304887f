package jdiff.launcher.process;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.logging.log4j.LogManager;
import org.jspecify.annotations.Nullable;

/**
 * One small shell process in its own session. It sends signals to groups for the launcher and, when the launcher's end of its
 * pipe closes without a goodbye, waits a second, kills every registered group and removes the run directory. If it dies it is
 * replaced.
 */
final class Guard implements AutoCloseable {
    private static final String SCRIPT = """
            trap '' TERM INT HUP
            groups=
            while read -r verb group signal; do
              case $verb in
              add) groups="$groups $group" ;;
              remove) rest=; for g in $groups; do [ "$g" = "$group" ] || rest="$rest $g"; done; groups=$rest ;;
              signal) kill -s "$signal" -- "-$group" ;;
              bye) exit 0 ;;
              esac
            done
            sleep 1
            for g in $groups; do kill -s KILL -- "-$g"; done
            rm -rf -- "$1"
            """;

    private final Shell shell;
    private final Path runDirectory;
    private final Set<Long> groups = new LinkedHashSet<>();
    private @Nullable Process process;
    private boolean closed;

    Guard(Shell shell, Path runDirectory) throws IOException {
        this.shell = shell;
        this.runDirectory = runDirectory;
        start();
    }

    private synchronized void start() throws IOException {
        if (closed) {
            return;
        }
        Process started = new ProcessBuilder(shell.script(SCRIPT, runDirectory.toString()))
                .directory(new File("/"))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        process = started;
        for (long group : groups) {
            send("add " + group);
        }
        var unused = started.onExit().thenAccept(this::replace);
    }

    private synchronized void replace(Process dead) {
        if (!closed && dead == process) {
            try {
                start();
            } catch (IOException e) {
                LogManager.getLogger().warn("the guard process died and cannot be started again: {}", e.getMessage());
            }
        }
    }

    synchronized void add(long group) {
        groups.add(group);
        send("add " + group);
    }

    synchronized void remove(long group) {
        if (groups.remove(group)) {
            send("remove " + group);
        }
    }

    /** Sends a signal to every process of a group; the name is without SIG. */
    synchronized void signal(long group, String name) {
        send("signal " + group + " " + name);
    }

    private void send(String line) {
        if (process != null && !write(process, line)) {
            try {
                start();
                if (process != null && !line.startsWith("add ")) {
                    write(process, line);
                }
            } catch (IOException e) {
                LogManager.getLogger().warn("the guard process cannot be reached: {}", e.getMessage());
            }
        }
    }

    private static boolean write(Process guard, String line) {
        try {
            guard.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
            guard.getOutputStream().flush();
            return guard.isAlive();
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (process != null) {
            write(process, "bye");
        }
    }
}
