package jdiff.launcher.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import jdiff.launcher.Cause;
import jdiff.launcher.JavaSource;
import jdiff.launcher.LaunchException;
import jdiff.launcher.Preparation;

/** What must be done before the workers exist, in child processes that a stop signal ends at once: preparation and compilation. */
final class Groundwork {
    private final Groups groups;
    private final BlockingQueue<Event> events;

    Groundwork(Groups groups, BlockingQueue<Event> events) {
        this.groups = groups;
        this.events = events;
    }

    /** Runs a preparation unless its marker exists. */
    void prepare(Preparation preparation) throws LaunchException, Stopped, InterruptedException {
        if (Files.exists(preparation.marker())) {
            return;
        }
        Outcome outcome = run(preparation.command(), builder -> builder.redirectError(ProcessBuilder.Redirect.INHERIT));
        if (outcome.code != 0) {
            Cause known = Cause.ofCode(outcome.code);
            throw new LaunchException(
                    known == null || known == Cause.OK ? Cause.ERROR : known,
                    "preparing " + preparation.label() + " failed with exit code " + outcome.code);
        }
    }

    /** Compiles a single-file program into a directory and returns the name of its main class. */
    String compile(JavaSource source, Path classes) throws LaunchException, Stopped, InterruptedException {
        Path compiler = source.javaHome().resolve("bin").resolve("javac");
        if (!Files.isExecutable(compiler)) {
            throw new LaunchException(
                    Cause.NOT_FOUND,
                    "running " + source.file() + " needs a JDK: there is no compiler in " + source.javaHome()
                            + "; set JAVA_HOME to a JDK");
        }
        List<String> command = new ArrayList<>(List.of(
                compiler.toString(),
                "-J-XX:+UseSerialGC",
                "-J-XX:TieredStopAtLevel=1",
                "-J-Xshare:auto",
                "-encoding",
                "UTF-8",
                "-proc:none",
                "-d",
                classes.toString(),
                "-cp",
                String.join(":", source.compileClassPath()),
                source.file().toString()));
        Outcome outcome = run(command, builder -> builder.redirectErrorStream(true));
        if (outcome.code != 0) {
            throw new LaunchException(Cause.USAGE, source.file() + " does not compile\n" + outcome.text.strip());
        }
        return mainClass(source.file(), classes);
    }

    private static String mainClass(Path file, Path classes) throws LaunchException {
        try {
            String fileName = file.getFileName().toString();
            String name = MainClass.of(Files.readString(file))
                    .orElse(fileName.substring(0, fileName.length() - ".java".length()));
            if (Files.exists(classes.resolve(name.replace('.', '/') + ".class"))) {
                return name;
            }
            throw new LaunchException(
                    Cause.USAGE, file + " has no class to run: its first type must have a main method");
        } catch (LaunchException e) {
            throw e;
        } catch (IOException e) {
            throw new LaunchException(Cause.NO_INPUT, file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private record Outcome(int code, String text) {}

    private Outcome run(List<String> command, UnaryOperator<ProcessBuilder> streams)
            throws LaunchException, Stopped, InterruptedException {
        Child child;
        try {
            child = groups.startTool(command, streams);
        } catch (IOException e) {
            throw new LaunchException(
                    Cause.NOT_EXECUTABLE, command.get(0) + " cannot be started: " + e.getMessage(), e);
        }
        CompletableFuture<String> text = CompletableFuture.supplyAsync(() -> readAll(child.process()));
        while (true) {
            Event event = events.take();
            if (event instanceof Event.Stop stop) {
                child.signal("KILL");
                throw new Stopped(stop.signal());
            }
            if (event instanceof Event.Ended ended && ended.child() == child) {
                String output = text.join();
                child.members();
                return new Outcome(child.process().exitValue(), output);
            }
        }
    }

    private static String readAll(Process process) {
        try (var in = process.getInputStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
