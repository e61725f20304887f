package jdiff.launcher;

import java.io.IOException;
import java.util.List;
import jdiff.launcher.log.ConsoleErr;
import jdiff.launcher.log.ConsoleOut;
import jdiff.launcher.process.LocalLauncher;
import jdiff.launcher.report.JobResult;
import jdiff.launcher.report.Reasons;
import jdiff.launcher.report.Summary;
import jdiff.launcher.report.Texts;

/**
 * From what the user asked to a finished job: {@link #plan} is pure and printed by {@code --dry-run}, {@link #run} starts and
 * watches processes. Signal handlers belong to the caller, which passes signals on to {@link #stop} and {@link #drain}.
 */
public final class Launcher {
    private final LocalLauncher local;

    /** Results and messages of workers go to these two. */
    public Launcher(ConsoleOut out, ConsoleErr err) {
        this.local = new LocalLauncher(out, err);
    }

    public static LaunchPlan plan(JobSpec spec) {
        return new LaunchPlan(spec);
    }

    /** Runs the job to its end, prints the report of a failure and writes the summary that was asked for. */
    public JobResult run(LaunchPlan plan) throws LaunchException, InterruptedException {
        JobSpec spec = plan.spec();
        JobResult result;
        try {
            result = local.run(plan);
        } catch (LaunchException e) {
            Cause reason = e.reason();
            summarise(spec, new JobResult(spec.ranks().jobId(), "", reason.exitCode(), reason.word(), 0, List.of()));
            throw e;
        }
        summarise(spec, result);
        return result;
    }

    private static void summarise(JobSpec spec, JobResult result) throws LaunchException {
        var file = spec.output().summary();
        if (file != null) {
            try {
                Summary.write(file, result, new Texts(spec.host().environment()));
            } catch (IOException e) {
                throw new LaunchException(
                        Cause.OUTPUT, "the summary " + file + " cannot be written: " + Reasons.of(e), e);
            }
        }
    }

    /** Asks for an orderly end, as if the signal (a name without SIG) had come; a second call kills. */
    public void stop(String signal) {
        local.stop(signal);
    }

    /** Asks the workers to finish what they are doing and take no more (USR1, USR2). */
    public void drain(String signal) {
        local.drain(signal);
    }
}
