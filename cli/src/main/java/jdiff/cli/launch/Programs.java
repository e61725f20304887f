package jdiff.cli.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.zip.ZipException;
import jdiff.cli.OptionWords;
import jdiff.cli.Verbs;
import jdiff.cli.worker.WorkerMain;
import jdiff.launcher.JavaSource;
import jdiff.launcher.Program;
import org.jspecify.annotations.Nullable;

/** Decides what the words after the launch options mean: a verb, a source file, a jar, a class, or an executable. */
final class Programs {
    private static final Pattern CLASS_NAME =
            Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$]*(?:\\.[\\p{L}_$][\\p{L}\\p{N}_$]*)*");

    private final Verbs verbs;
    private final ProgramOptions options;
    private final Map<String, String> environment;
    private final int workers;
    private final WorkerJvm jvm;

    Programs(Verbs verbs, ProgramOptions options, Map<String, String> environment, int workers, WorkerJvm jvm) {
        this.verbs = verbs;
        this.options = options;
        this.environment = environment;
        this.workers = workers;
        this.jvm = jvm;
    }

    /** Throws IllegalArgumentException where the words make no program. */
    Program resolve(OptionWords line) throws IOException {
        List<String> words = line.rest();
        if (options.noJava) {
            if (!options.classPath.isEmpty() || !options.javaOpts.isEmpty()) {
                throw new IllegalArgumentException("--class-path and --java-opts have no meaning with --no-java");
            }
            return new Program.Executable(words);
        }
        if (words.isEmpty() || (line.delimited() && words.get(0).startsWith("-"))) {
            return verb(Verbs.DEFAULT, words);
        }
        String first = words.get(0);
        List<String> rest = words.subList(1, words.size());
        if (verbs.has(first) || first.equals(Verbs.DEFAULT)) {
            return verb(first, rest);
        }
        Path file = file(first);
        if (file != null && first.endsWith(".java")) {
            var source = new JavaSource(file, WorkerJvm.javaHome(), classPath(List.of()));
            return javaClass(file.getFileName().toString(), JavaSource.MAIN_CLASS, rest, List.of(), source);
        }
        if (file != null && first.endsWith(".jar")) {
            return javaClass(
                    file.getFileName().toString(),
                    mainClass(file),
                    rest,
                    List.of(file.toAbsolutePath().toString()),
                    null);
        }
        if (!options.classPath.isEmpty() && CLASS_NAME.matcher(first).matches()) {
            return javaClass(first, first, rest, List.of(), null);
        }
        throw new IllegalArgumentException(unknown(first, file));
    }

    private Program verb(String name, List<String> arguments) throws IOException {
        List<String> words = new ArrayList<>(List.of(WorkerMain.VERB, name));
        words.addAll(arguments);
        return java(name, true, words, List.of(), null);
    }

    private Program javaClass(
            String label, String main, List<String> arguments, List<String> before, @Nullable JavaSource source)
            throws IOException {
        List<String> words = new ArrayList<>(List.of(WorkerMain.CLASS, main));
        words.addAll(arguments);
        return java(label, false, words, before, source);
    }

    private Program java(
            String label, boolean verb, List<String> words, List<String> before, @Nullable JavaSource source)
            throws IOException {
        return new Program.Java(
                label,
                verb,
                WorkerJvm.javaHome(),
                WorkerMain.class.getName(),
                words,
                classPath(before),
                jvm.installationFlags(),
                WorkerJvm.userFlags(options.javaOpts, environment, workers),
                source);
    }

    private List<String> classPath(List<String> before) {
        List<String> entries = new ArrayList<>(before);
        entries.addAll(WorkerJvm.absolute(options.classPath));
        entries.addAll(WorkerJvm.ownClassPath());
        return entries;
    }

    private static @Nullable Path file(String word) {
        try {
            Path path = Path.of(word);
            return Files.isRegularFile(path) ? path : null;
        } catch (InvalidPathException e) {
            return null;
        }
    }

    private static String mainClass(Path jar) throws IOException {
        try (var file = new JarFile(jar.toFile())) {
            var manifest = file.getManifest();
            String name = manifest == null ? null : manifest.getMainAttributes().getValue("Main-Class");
            if (name == null) {
                throw new IllegalArgumentException(
                        jar + " names no main class; use --class-path " + jar + " and the name of a class");
            }
            return name.strip();
        } catch (ZipException e) {
            throw new IllegalArgumentException(jar + " is not a jar: " + e.getMessage(), e);
        }
    }

    private String unknown(String word, @Nullable Path file) {
        String known = String.join(", ", verbs.onRanks());
        String verbList = known.isEmpty() ? "a verb" : "a verb (" + known + ")";
        if (file != null || word.endsWith(".py")) {
            String interpreter = word.endsWith(".py") ? "python " : "";
            return "'" + word + "' is not a program for a JVM; to run it as it is: jdiff launch --no-java "
                    + interpreter + word;
        }
        if (word.endsWith(".java") || word.endsWith(".jar")) {
            return "there is no file '" + word + "'";
        }
        return "'" + word + "' is not " + verbList
                + ", a .java or .jar file, or a class (with --class-path); any other program" + " needs --no-java";
    }
}
