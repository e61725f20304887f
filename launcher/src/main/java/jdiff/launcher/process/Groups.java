package jdiff.launcher.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.function.UnaryOperator;
import jdiff.launcher.Names;
import org.apache.logging.log4j.LogManager;
import org.jspecify.annotations.Nullable;

/** Starts children in groups of their own, under the eyes of the guard, and signals these groups. */
final class Groups implements AutoCloseable {
    private final Shell shell;
    private final BlockingQueue<Event> events;
    private final @Nullable Guard guard;

    Groups(Shell shell, Path runDirectory, BlockingQueue<Event> events) throws IOException {
        this.shell = shell;
        this.events = events;
        this.guard = shell.isAvailable() ? new Guard(shell, runDirectory) : null;
        if (guard == null) {
            LogManager.getLogger()
                    .warn(
                            "/bin/sh or setsid is missing: processes that workers start are not stopped with them, and workers"
                                    + " outlive a launcher that is killed");
        }
    }

    /** Starts a Java worker: stdin is its control pipe, descriptor 3 its results. */
    Child startJava(List<String> command, Map<String, String> environment, List<String> withheld) throws IOException {
        return start(shell.javaWorker(command), environment, withheld);
    }

    /** Starts any program with an empty stdin. */
    Child startProgram(List<String> command, Map<String, String> environment, List<String> withheld)
            throws IOException {
        Child child = start(shell.program(command), environment, withheld);
        child.closeInput();
        return child;
    }

    /** Starts a tool of the launcher (compiler, preparation) with streams as configured. */
    Child startTool(List<String> command, UnaryOperator<ProcessBuilder> configure) throws IOException {
        var builder = configure.apply(new ProcessBuilder(shell.program(command)));
        Names.WITHHELD.forEach(builder.environment()::remove);
        Child child = start(builder);
        child.closeInput();
        return child;
    }

    private Child start(List<String> command, Map<String, String> environment, List<String> withheld)
            throws IOException {
        var builder = new ProcessBuilder(command);
        withheld.forEach(builder.environment()::remove);
        builder.environment().putAll(environment);
        return start(builder);
    }

    private Child start(ProcessBuilder builder) throws IOException {
        var child = new Child(builder.start(), this);
        if (guard != null) {
            guard.add(child.pid());
            child.tell(Names.GO);
        }
        var unused = child.process().onExit().thenAccept(process -> events.add(new Event.Ended(child)));
        return child;
    }

    void signal(Child child, String name) {
        if (guard != null) {
            guard.signal(child.pid(), name);
        } else if (name.equals("KILL")) {
            child.process().destroyForcibly();
        } else {
            child.process().destroy();
        }
    }

    List<ProcessTable.Member> members(Child child) {
        if (guard != null) {
            return ProcessTable.group(child.pid());
        }
        return child.isRunning() ? List.of(new ProcessTable.Member(child.pid(), '?', "")) : List.of();
    }

    void forget(Child child) {
        if (guard != null) {
            guard.remove(child.pid());
        }
    }

    @Override
    public void close() {
        if (guard != null) {
            guard.close();
        }
    }
}
