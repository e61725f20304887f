package jdiff.launcher.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import jdiff.launcher.Cause;
import jdiff.launcher.JobSpec;
import jdiff.launcher.Names;
import jdiff.launcher.log.ConsoleErr;
import jdiff.launcher.log.LogMux;
import jdiff.launcher.report.CrashFile;
import jdiff.launcher.report.ErrorFile;
import jdiff.launcher.report.ErrorFileWriter;
import jdiff.launcher.report.JobResult;
import jdiff.launcher.report.RankResult;
import jdiff.launcher.report.Reasons;
import jdiff.launcher.report.RootCause;
import jdiff.launcher.report.Signals;
import jdiff.launcher.report.Texts;
import jdiff.launcher.report.WorkerFailure;
import org.apache.logging.log4j.LogManager;

/** Turns the outcome of the workers into the job's result, and says what has to be said, last on stderr. */
final class JobReport {
    private final JobSpec spec;
    private final String launchId;
    private final JobDirectory directory;
    private final ConsoleErr err;
    private final Texts texts;

    JobReport(JobSpec spec, String launchId, JobDirectory directory, ConsoleErr err) {
        this.spec = spec;
        this.launchId = launchId;
        this.directory = directory;
        this.err = err;
        this.texts = new Texts(spec.host().environment());
    }

    /** The result of a job that a signal stopped before it had workers. */
    static JobResult stoppedEarly(JobSpec spec, String launchId, String signal) {
        return new JobResult(spec.ranks().jobId(), launchId, code(signal), "signal", 0, List.of());
    }

    private static int code(String signal) {
        return Signals.BASE + Signals.number(signal);
    }

    JobResult finish(WorkerGroup.Outcome outcome, LogMux mux, boolean verb) {
        List<RankResult> ranks = new ArrayList<>(outcome.results());
        ranks.sort(Comparator.comparingInt(RankResult::rank));
        if (!outcome.unkillable().isEmpty()) {
            outcome.unkillable()
                    .forEach(process -> err.notice("process " + process.pid() + " (" + texts.line(process.name())
                            + ", state " + process.state() + ") survives SIGKILL and is left behind"));
            return result(Cause.UNKILLABLE.exitCode(), Cause.UNKILLABLE.word(), ranks);
        }
        if (outcome.signal() != null) {
            err.notice("stopped by SIG" + outcome.signal());
            return result(code(outcome.signal()), "signal", ranks);
        }
        Optional<RankResult> root = RootCause.of(ranks, verb);
        if (root.isEmpty()) {
            int code = RootCause.codeOfSuccess(ranks);
            Cause cause = Cause.ofCode(code);
            if (cause == Cause.UNFINISHED) {
                err.notice("not everything was done, as a signal asked to finish early (unfinished, exit code " + code
                        + ")");
            }
            return result(code, cause == null ? Cause.OK.word() : cause.word(), ranks);
        }
        report(root.get(), ranks, mux);
        return result(root.get().exit().code(), root.get().word(), ranks);
    }

    private void report(RankResult root, List<RankResult> ranks, LogMux mux) {
        List<String> tail = mux.lastLines(root.rank());
        // Not again what stands right above.
        boolean justShown = err.trailing(root.rank()) >= tail.size();
        var failure = new WorkerFailure(root, ranks, justShown ? List.of() : tail, paths());
        for (String line : failure.lines(texts, spec.output().verbosity() > 0)) {
            err.line(line);
        }
        RunDirectory.crashFiles(directory.path()).stream()
                .flatMap(file -> new CrashFile(file).advice().stream())
                .distinct()
                .forEach(advice -> err.line("jdiff: " + advice));
        copyErrorFile(root);
    }

    private List<String> paths() {
        List<String> paths = new ArrayList<>();
        if (directory.logs()) {
            paths.add(directory.path().toString());
        }
        for (Path crash : RunDirectory.crashFiles(directory.path())) {
            paths.add(crash.toString());
        }
        return paths;
    }

    /** A launcher that is itself a worker of another passes the root cause on. */
    private void copyErrorFile(RankResult root) {
        String file = spec.host().environment().getOrDefault(Names.ERROR_FILE, "");
        if (file.isEmpty()) {
            return;
        }
        ErrorFile error = root.error() != null
                ? root.error()
                : new ErrorFile("rank " + root.rank() + ": " + root.exit().describe(), root.word(), "", "");
        try {
            ErrorFileWriter.write(
                    Path.of(file),
                    error,
                    root.exit().code(),
                    System.currentTimeMillis() / 1000,
                    root.host(),
                    Map.of(ErrorFile.RANK, (long) root.rank(), ErrorFile.PID, root.pid()));
        } catch (IOException e) {
            LogManager.getLogger().warn("the error file {} cannot be written: {}", file, Reasons.of(e));
        }
    }

    private JobResult result(int code, String word, List<RankResult> ranks) {
        return new JobResult(spec.ranks().jobId(), launchId, code, word, 1, ranks);
    }
}
