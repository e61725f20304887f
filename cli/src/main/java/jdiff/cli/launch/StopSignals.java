package jdiff.cli.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import jdiff.launcher.Launcher;
import jdiff.launcher.report.Signals;
import org.apache.logging.log4j.LogManager;
import org.jspecify.annotations.Nullable;

/**
 * The launcher's signal handlers, installed first thing in {@code main}. Until a job can take them, a stop signal ends the
 * process at once, also as PID 1. A signal that was ignored when the JVM started (nohup, background jobs) stays ignored.
 */
public final class StopSignals {
    private static final List<String> STOPPING = List.of("TERM", "INT", "HUP");
    private static final List<String> DRAINING = List.of("USR1", "USR2");

    /** What is handled where the user names nothing else. */
    public static final List<String> DEFAULT = List.of("TERM", "INT", "HUP", "USR1", "USR2");

    private volatile @Nullable Launcher launcher;

    private StopSignals() {}

    /** Handlers for the defaults. */
    public static StopSignals install() {
        var signals = new StopSignals();
        DEFAULT.forEach(signals::handle);
        return signals;
    }

    /** For commands that leave signals to the JVM. */
    public static StopSignals none() {
        return new StopSignals();
    }

    /** From now on signals go to this job. */
    void forwardTo(Launcher job) {
        launcher = job;
    }

    /**
     * Names without SIG, checked; unknown ones and those that a JVM cannot catch are left out.
     *
     * @param warn told about each name that is left out
     */
    static List<String> parse(String list, Consumer<String> warn) {
        List<String> names = new ArrayList<>();
        for (String word : list.split(",", -1)) {
            String upper = word.strip().toUpperCase(Locale.ROOT);
            String name = upper.startsWith("SIG") ? upper.substring("SIG".length()) : upper;
            if (DEFAULT.contains(name)) {
                names.add(name);
            } else if (!name.isEmpty()) {
                String why = name.equals("QUIT") || Signals.number(name) > 0
                        ? "cannot be handled by a JVM"
                        : "is not a signal";
                warn.accept("--signals-to-handle: " + word.strip() + " " + why + "; left out");
            }
        }
        return names;
    }

    /** Gives signals that the user does not want handled back to the system. */
    void restrictTo(List<String> names) {
        for (String name : DEFAULT) {
            if (!names.contains(name)) {
                JvmSignals.restoreDefault(name);
            }
        }
    }

    private void handle(String name) {
        if (!JvmSignals.handle(name, () -> received(name))) {
            LogManager.getLogger().debug("signal {} cannot be handled by this JVM", name);
        }
    }

    private void received(String name) {
        Launcher job = launcher;
        if (job == null) {
            if (STOPPING.contains(name)) {
                Runtime.getRuntime().halt(Signals.BASE + Signals.number(name));
            }
        } else if (DRAINING.contains(name)) {
            job.drain(name);
        } else {
            job.stop(name);
        }
    }
}
