package jdiff.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import jdiff.cli.worker.WorkerErrors;
import jdiff.launcher.Cause;
import jdiff.launcher.LaunchException;
import jdiff.runtime.fault.FaultException;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The one place where exceptions become messages and exit codes. */
public final class Errors {
    private Errors() {}

    /** A bad option or value: one paragraph and where help is. */
    static int usage(CommandLine.ParameterException e, PrintWriter err) {
        err.println("jdiff: " + usageMessage(e));
        err.println("jdiff: see " + e.getCommandLine().getCommandSpec().qualifiedName() + " --help");
        return Cause.USAGE.exitCode();
    }

    /** What is wrong with a command line, in one sentence. */
    public static String usageMessage(CommandLine.ParameterException e) {
        if (e instanceof CommandLine.UnmatchedArgumentException unmatched
                && !unmatched.getUnmatched().isEmpty()) {
            return unmatched(unmatched.getUnmatched().get(0), e.getCommandLine().getCommandSpec());
        }
        // A converter's or default's own message is better than the one around it.
        return String.valueOf(e.getCause() instanceof IllegalArgumentException bad ? bad.getMessage() : e.getMessage());
    }

    private static String unmatched(String word, CommandSpec spec) {
        if (word.startsWith("-") && word.length() > 1) {
            int equals = word.indexOf('=');
            String name = equals < 0 ? word : word.substring(0, equals);
            String nearest = Suggestion.of(name.replace('_', '-'), optionNames(spec));
            return "unknown option " + name + (nearest.isEmpty() ? "" : "; did you mean " + nearest + "?");
        }
        if (!spec.subcommands().isEmpty()) {
            String nearest = Suggestion.of(word, List.copyOf(spec.subcommands().keySet()));
            return "there is no command '" + word + "'"
                    + (nearest.isEmpty()
                            ? "; there are "
                                    + String.join(", ", spec.subcommands().keySet())
                            : "; did you mean " + nearest + "?");
        }
        return "'" + word + "' belongs to no option; a value with spaces needs quotes around it";
    }

    /** Names of the options that help shows. */
    public static List<String> optionNames(CommandSpec spec) {
        List<String> names = new ArrayList<>();
        spec.options().stream()
                .filter(option -> !option.hidden())
                .forEach(option -> names.addAll(List.of(option.names())));
        return names;
    }

    /**
     * Any other failure. A worker under a launcher writes its error file, and leaves it to the launcher to say it once.
     *
     * @param environment names the error file; empty where there is none to write
     * @param verbose whether the stack is shown
     */
    public static int report(Exception thrown, PrintWriter err, Map<String, String> environment, boolean verbose) {
        Throwable e = unwrapped(thrown);
        int code = exitCode(e);
        boolean told = WorkerErrors.write(e, code, environment);
        if (!isExpected(e) || verbose) {
            e.printStackTrace(err);
        } else if (!told) {
            err.println("jdiff: " + e.getMessage());
        }
        return code;
    }

    /** Whether the message is meant for the user, so that no stack is needed. */
    public static boolean isExpected(Throwable thrown) {
        return isNamed(thrown) || thrown instanceof IllegalArgumentException;
    }

    /** Whether it is one of our own exceptions, which carry a cause. */
    public static boolean isNamed(Throwable thrown) {
        Throwable e = unwrapped(thrown);
        return e instanceof FaultException || e instanceof LaunchException;
    }

    /** A fault that had to cross code without checked exceptions. */
    private static Throwable unwrapped(Throwable e) {
        return e instanceof UncheckedIOException && e.getCause() != null ? e.getCause() : e;
    }

    /** For what a verb of jdiff throws: invalid input is usage, the outside world is input and output. */
    public static int exitCode(Throwable thrown) {
        Throwable e = unwrapped(thrown);
        if (e instanceof IOException && !isNamed(e)) {
            return Cause.IO.exitCode();
        }
        return e instanceof IllegalArgumentException ? Cause.USAGE.exitCode() : exitCodeOfProgram(e);
    }

    /** For what a program of somebody else lets escape: its exceptions mean nothing to us but ours. */
    public static int exitCodeOfProgram(Throwable thrown) {
        Throwable e = unwrapped(thrown);
        if (e instanceof FaultException fault) {
            return fault.fault().exitCode();
        }
        if (e instanceof LaunchException launch) {
            return launch.reason().exitCode();
        }
        return e instanceof OutOfMemoryError ? Cause.JAVA_OOM.exitCode() : Cause.ERROR.exitCode();
    }
}
