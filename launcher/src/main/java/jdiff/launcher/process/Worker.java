package jdiff.launcher.process;

import java.nio.file.Path;
import java.util.List;
import jdiff.launcher.Cause;
import jdiff.launcher.ProcessSpec;
import jdiff.launcher.report.ErrorFile;
import jdiff.launcher.report.ExitStatus;
import jdiff.launcher.report.RankResult;
import org.jspecify.annotations.Nullable;

/** One rank's process while it is watched. Used by the launcher's thread only. */
final class Worker {
    private static final long SWEEP_NANOS = 1_000_000_000L;

    private final ProcessSpec spec;
    private final Child child;
    private final boolean verb;
    private @Nullable RankResult result;
    private boolean stopped;
    private boolean sweeping;
    private long endedNanos;

    Worker(ProcessSpec spec, Child child, boolean verb) {
        this.spec = spec;
        this.child = child;
        this.verb = verb;
    }

    ProcessSpec spec() {
        return spec;
    }

    Child child() {
        return child;
    }

    @Nullable RankResult result() {
        return result;
    }

    boolean hasEnded() {
        return result != null;
    }

    long endedNanos() {
        return endedNanos;
    }

    boolean isStopped() {
        return stopped;
    }

    /** Marks it as stopped by the launcher: how it ends from now on is not its own failure. */
    void markStopped() {
        stopped |= !hasEnded();
    }

    /** Takes note of the end of the leader. */
    RankResult end(int order, boolean outOfMemory, long nowNanos) {
        var exit = new ExitStatus(child.process().exitValue());
        ErrorFile error = exit.code() == 0 ? null : ErrorFile.read(Path.of(spec.errorFile()));
        endedNanos = nowNanos;
        result = new RankResult(
                spec.rank(), spec.node(), child.pid(), exit, stopped, order, error, word(exit, error, outOfMemory));
        return result;
    }

    private String word(ExitStatus exit, @Nullable ErrorFile error, boolean outOfMemory) {
        if (exit.code() == 0) {
            return Cause.OK.word();
        }
        if (error != null && !error.cause().isEmpty()) {
            return error.cause();
        }
        Cause known = verb ? Cause.ofCode(exit.code()) : null;
        return known != null ? known.word() : exit.word(spec.controlled(), outOfMemory);
    }

    /** After the leader's end, ends what is left of its group; true once nothing is left. */
    boolean isGone(long nowNanos) {
        if (!hasEnded()) {
            return false;
        }
        List<ProcessTable.Member> left = child.members();
        if (left.isEmpty()) {
            return true;
        }
        if (nowNanos - endedNanos > SWEEP_NANOS) {
            child.signal("KILL");
        } else if (!sweeping) {
            sweeping = true;
            child.signal("TERM");
        }
        return false;
    }
}
