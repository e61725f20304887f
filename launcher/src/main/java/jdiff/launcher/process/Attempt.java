package jdiff.launcher.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import jdiff.launcher.Bindings;
import jdiff.launcher.JobSpec;
import jdiff.launcher.LaunchPlan;
import jdiff.launcher.Preparation;
import jdiff.launcher.ProcessSpec;
import jdiff.launcher.Program;
import jdiff.launcher.log.ConsoleErr;
import jdiff.launcher.log.ConsoleOut;
import jdiff.launcher.log.LogMux;
import jdiff.launcher.log.LogRules;
import jdiff.launcher.report.JobResult;
import org.apache.logging.log4j.LogManager;

/** One start of all workers, from preparation to report. A restart is another attempt with the next number and the same store. */
final class Attempt {
    private static final Duration EARLY = Duration.ofSeconds(10);
    private static final long DRAIN_MILLIS = 1000;

    private final LaunchPlan plan;
    private final JobSpec spec;
    private final boolean verb;
    private final Groups groups;
    private final int port;
    private final Path runDirectory;
    private final String launchId;

    Attempt(LaunchPlan plan, Groups groups, int port, Path runDirectory, String launchId) {
        this.plan = plan;
        this.spec = plan.spec();
        this.verb = plan.spec().program() instanceof Program.Java java && java.verb();
        this.groups = groups;
        this.port = port;
        this.runDirectory = runDirectory;
        this.launchId = launchId;
    }

    JobResult run(BlockingQueue<Event> events, ConsoleOut out, ConsoleErr err)
            throws IOException, Stopped, InterruptedException {
        tell("the store listens on port {}, launch id {}", port, launchId);
        String mainClass = prepare(new Groundwork(groups, events));
        JobDirectory directory = JobDirectory.create(spec, launchId, runDirectory, err);
        var bindings = new Bindings(
                Integer.toString(port),
                directory.path().toString(),
                classes().toString(),
                mainClass,
                Long.toString(ProcessHandle.current().pid()),
                launchId,
                0);
        List<ProcessSpec> processes = plan.processes(bindings);
        directory.prepare(processes, bindings, spec.ranks().jobId());
        tell(
                "starting {} ranks of {}, files in {}",
                processes.size(),
                spec.program().label(),
                directory.path());
        var mux = new LogMux(rules(), out, err);
        var group = new WorkerGroup(spec.policy(), verb, EARLY, events);
        try {
            for (ProcessSpec process : processes) {
                Path logs = directory.logs() ? Path.of(bindings.rankDirectory(process.localRank())) : null;
                Child child = start(process, bindings.attempt());
                group.add(new Worker(process, child, verb));
                mux.attach(
                        process.rank(),
                        process.localRank(),
                        child.process().getInputStream(),
                        child.process().getErrorStream(),
                        logs);
                tell("rank {} is process {} on {}", process.rank(), child.pid(), process.device());
            }
        } catch (IOException e) {
            group.abandon();
            group.supervise();
            throw e;
        }
        WorkerGroup.Outcome outcome = group.supervise();
        tell("all processes have ended");
        mux.drain(DRAIN_MILLIS);
        return new JobReport(spec, launchId, directory, err).finish(outcome, mux, verb);
    }

    private Path classes() {
        return runDirectory.resolve("classes");
    }

    /** Does what must be done before workers start; returns the main class of a compiled program, else an empty text. */
    private String prepare(Groundwork groundwork) throws IOException, Stopped, InterruptedException {
        for (Preparation preparation : spec.preparations()) {
            groundwork.prepare(preparation);
        }
        if (spec.program() instanceof Program.Java program && program.source() != null) {
            tell("compiling {}", program.label());
            Files.createDirectory(classes());
            return groundwork.compile(program.source(), classes());
        }
        return "";
    }

    private Child start(ProcessSpec process, int attempt) throws IOException {
        if (!process.controlled()) {
            return groups.startProgram(process.command(), process.environment(), process.withheld());
        }
        Path file = runDirectory.resolve("rank" + process.rank() + "-" + attempt + ".args");
        return groups.startJava(ArgumentFile.write(file, process.command()), process.environment(), process.withheld());
    }

    /** Logging costs start-up time, so it is not even touched where nobody wants to read it. */
    private void tell(String message, Object... values) {
        if (spec.output().verbosity() > 0) {
            LogManager.getLogger().info(message, values);
        }
    }

    private LogRules rules() {
        var output = spec.output();
        boolean all = output.logDir() != null
                && output.redirects().isEmpty()
                && output.tee().isEmpty();
        return new LogRules(
                spec.ranks().worldSize(),
                spec.ranks().role(),
                output.redirects(),
                output.tee(),
                all,
                output.shown(),
                output.verbosity() > 0,
                spec.host().environment(),
                System::nanoTime);
    }
}
