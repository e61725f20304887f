package jdiff.launcher.process;

import java.nio.file.Path;
import java.time.Duration;
import jdiff.launcher.Cause;
import jdiff.launcher.ProcessSpec;
import jdiff.launcher.report.ErrorFile;
import jdiff.launcher.report.ExitStatus;
import jdiff.launcher.report.RankResult;
import org.jspecify.annotations.Nullable;

/** One rank's process while it is watched. Used by the launcher's thread only. */
final class Worker {
    private static final long UNKILLABLE_NANOS = 5_000_000_000L;

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

    /**
     * True once nothing is left of its group. Whoever outlives the leader gets TERM, the grace and SIGKILL, unless the whole job
     * is being stopped, which does the same for all.
     */
    boolean isGone(long nowNanos, boolean stopping, Duration grace) {
        if (!hasEnded()) {
            return false;
        }
        if (child.members().isEmpty()) {
            return true;
        }
        if (!stopping) {
            sweep(nowNanos - endedNanos, grace);
        }
        return nowNanos - endedNanos > grace.toNanos() + UNKILLABLE_NANOS && !stopping;
    }

    private void sweep(long passedNanos, Duration grace) {
        if (passedNanos > grace.toNanos()) {
            child.signal("KILL");
        } else if (!sweeping) {
            sweeping = true;
            child.signal("TERM");
        }
    }
}
