package jdiff.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import jdiff.cli.worker.WorkerErrors;
import jdiff.launcher.Cause;
import jdiff.launcher.LaunchException;
import jdiff.launcher.Names;
import jdiff.runtime.fault.FaultException;
import picocli.CommandLine;

/** The one place where exceptions become messages and exit codes. */
public final class Errors {
    private Errors() {}

    /** A bad option or value: one paragraph and where help is. */
    static int usage(CommandLine.ParameterException e, PrintWriter err) {
        // A converter's or default's own message is better than the one around it.
        String message = e.getCause() instanceof IllegalArgumentException bad ? bad.getMessage() : e.getMessage();
        err.println("jdiff: " + message);
        CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
        err.println("jdiff: see " + e.getCommandLine().getCommandSpec().qualifiedName() + " --help");
        return Cause.USAGE.exitCode();
    }

    /**
     * Any other failure. A worker under a launcher writes its error file, and leaves it to the launcher to say it once.
     *
     * @param verbose whether the stack is shown
     */
    public static int report(Exception e, PrintWriter err, Map<String, String> environment, boolean verbose) {
        int code = exitCode(e);
        boolean expected = isExpected(e);
        boolean told = environment.containsKey(Names.ERROR_FILE)
                && !(e instanceof LaunchException)
                && WorkerErrors.write(e, environment);
        if (!expected || verbose) {
            e.printStackTrace(err);
        } else if (!told) {
            err.println("jdiff: " + e.getMessage());
        }
        return code;
    }

    /** Whether the message is meant for the user, so that no stack is needed. */
    public static boolean isExpected(Throwable thrown) {
        Throwable e = unwrapped(thrown);
        return e instanceof FaultException || e instanceof LaunchException || e instanceof IllegalArgumentException;
    }

    /** A fault that had to cross code without checked exceptions. */
    private static Throwable unwrapped(Throwable e) {
        return e instanceof UncheckedIOException && e.getCause() != null ? e.getCause() : e;
    }

    public static int exitCode(Throwable thrown) {
        Throwable e = unwrapped(thrown);
        if (e instanceof FaultException fault) {
            return fault.fault().exitCode();
        }
        if (e instanceof LaunchException launch) {
            return launch.reason().exitCode();
        }
        if (e instanceof OutOfMemoryError) {
            return Cause.JAVA_OOM.exitCode();
        }
        if (e instanceof IOException) {
            return Cause.IO.exitCode();
        }
        return e instanceof IllegalArgumentException ? Cause.USAGE.exitCode() : Cause.ERROR.exitCode();
    }
}
