package jdiff.cli.worker;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import jdiff.launcher.Cause;
import jdiff.launcher.LaunchException;
import jdiff.launcher.Names;
import jdiff.launcher.host.Host;
import jdiff.launcher.report.ErrorFile;
import jdiff.launcher.report.ErrorFileWriter;
import jdiff.runtime.fault.FaultException;
import org.jspecify.annotations.Nullable;

/** Describes a failure of this worker in the error file that the launcher named. */
public final class WorkerErrors {
    private WorkerErrors() {}

    /** Writes the file; false if there is none to write or it cannot be written. */
    public static boolean write(Throwable e, int exitCode, Map<String, String> environment) {
        String file = environment.getOrDefault(Names.ERROR_FILE, "");
        if (file.isEmpty()) {
            return false;
        }
        Map<String, Long> facts = new LinkedHashMap<>();
        number(facts, ErrorFile.RANK, environment.get(Names.RANK));
        number(facts, ErrorFile.ATTEMPT, environment.get(Names.ATTEMPT));
        facts.put(ErrorFile.PID, ProcessHandle.current().pid());
        var error = new ErrorFile(e.getClass().getName() + ": " + e.getMessage(), cause(e, exitCode), stack(e), "");
        try {
            ErrorFileWriter.write(
                    Path.of(file), error, exitCode, System.currentTimeMillis() / 1000, Host.localName(), facts);
            return true;
        } catch (IOException | RuntimeException unwritable) {
            return false;
        }
    }

    private static void number(Map<String, Long> facts, String name, @Nullable String digits) {
        if (digits != null && digits.matches("[0-9]{1,9}")) {
            facts.put(name, Long.parseLong(digits));
        }
    }

    private static String cause(Throwable e, int exitCode) {
        if (e instanceof FaultException fault) {
            return fault.fault().word();
        }
        if (e instanceof LaunchException launch) {
            return launch.reason().word();
        }
        Cause known = Cause.ofCode(exitCode);
        return known == null ? Cause.ERROR.word() : known.word();
    }

    private static String stack(Throwable e) {
        var text = new StringWriter();
        e.printStackTrace(new PrintWriter(text, true));
        return text.toString();
    }
}
