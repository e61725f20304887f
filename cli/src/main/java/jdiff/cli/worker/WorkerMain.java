package jdiff.cli.worker;

import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import jdiff.cli.Errors;
import jdiff.cli.Jdiff;
import jdiff.cli.Verbs;
import jdiff.cli.launch.StopSignals;
import jdiff.launcher.Names;

/** {@code main} of every worker JVM: {@code verb <words…>} runs one of jdiff's verbs, {@code class <name> <args…>} any class. */
public final class WorkerMain {
    /** First argument for a verb of jdiff. */
    public static final String VERB = "verb";

    /** First argument for a class with a main method. */
    public static final String CLASS = "class";

    private static final int BUFFER = 8192;

    private WorkerMain() {}

    public static void main(String[] args) {
        Map<String, String> environment = System.getenv();
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> fail(e, environment));
        connect(environment);
        List<String> words = Arrays.asList(args).subList(1, args.length);
        if (args[0].equals(VERB)) {
            System.exit(Jdiff.run(words, Verbs.standard(), environment, StopSignals.none()));
        }
        try {
            MainMethod.run(words.get(0), words.subList(1, words.size()).toArray(String[]::new));
        } catch (Throwable e) {
            fail(e, environment);
        }
        System.out.flush();
    }

    /** Control reader on stdin, which the program finds empty; results to the launcher's descriptor. */
    private static void connect(Map<String, String> environment) {
        if ("stdin".equals(environment.get(Names.CONTROL))) {
            InputStream control = System.in;
            System.setIn(InputStream.nullInputStream());
            WorkerControl.listen(control);
        }
        String descriptor = environment.getOrDefault(Names.RESULT_FD, "");
        if (descriptor.matches("[0-9]{1,4}")) {
            try {
                var results = new FileOutputStream("/proc/self/fd/" + descriptor);
                System.setOut(new PrintStream(new BufferedOutputStream(results, BUFFER), true, StandardCharsets.UTF_8));
            } catch (IOException e) {
                return; // Started without a shell: stdout is the launcher's pipe itself.
            }
        }
    }

    /** Nobody caught it: the error file, then the end at once, since other threads may wait for this one. */
    private static void fail(Throwable e, Map<String, String> environment) {
        try {
            boolean told = WorkerErrors.write(e, Errors.exitCodeOfProgram(e), environment);
            if (!told || !Errors.isNamed(e)) {
                e.printStackTrace();
            }
            System.out.flush();
            System.err.flush();
        } finally {
            Runtime.getRuntime().halt(Errors.exitCodeOfProgram(e));
        }
    }
}
