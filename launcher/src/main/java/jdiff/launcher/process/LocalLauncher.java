package jdiff.launcher.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import jdiff.launcher.Bindings;
import jdiff.launcher.Cause;
import jdiff.launcher.JobSpec;
import jdiff.launcher.LaunchException;
import jdiff.launcher.LaunchPlan;
import jdiff.launcher.Names;
import jdiff.launcher.Preparation;
import jdiff.launcher.ProcessSpec;
import jdiff.launcher.Program;
import jdiff.launcher.log.ConsoleErr;
import jdiff.launcher.log.ConsoleOut;
import jdiff.launcher.log.LogMux;
import jdiff.launcher.log.LogRules;
import jdiff.launcher.report.JobResult;
import jdiff.launcher.store.StoreServer;
import org.apache.logging.log4j.LogManager;

/**
 * Runs a plan as processes of this host: store, guard, preparation, compilation, workers, supervision, report. {@link #stop} and
 * {@link #drain} may be called from any thread at any time.
 */
public final class LocalLauncher {
    private final ConsoleOut out;
    private final ConsoleErr err;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

    public LocalLauncher(ConsoleOut out, ConsoleErr err) {
        this.out = out;
        this.err = err;
    }

    /** Asks for an orderly end; a second call kills. The name is that of a signal, without SIG. */
    public void stop(String signal) {
        events.add(new Event.Stop(signal));
    }

    /** Asks the workers to finish what they are doing and take no more. */
    public void drain(String signal) {
        events.add(new Event.Drain(signal));
    }

    /** Runs the job to its end; the report is printed. */
    public JobResult run(LaunchPlan plan) throws LaunchException, InterruptedException {
        JobSpec spec = plan.spec();
        checkProgram(spec);
        String launchId = HexFormat.of().formatHex(new SecureRandom().generateSeed(8));
        var address = new InetSocketAddress(loopback(spec.address()), spec.port());
        try (StoreServer store = StoreServer.open(address, spec.ranks().worldSize())) {
            RunDirectory runDirectory = RunDirectory.create(spec.host().environment());
            try (Groups groups = new Groups(Shell.find(spec.host().environment()), runDirectory.path(), events)) {
                var attempt = new Attempt(plan, groups, store.port(), runDirectory.path(), launchId);
                return attempt.run();
            } catch (Stopped e) {
                return JobReport.stoppedEarly(spec, launchId, e.signal());
            } catch (LaunchException e) {
                throw e;
            } catch (IOException e) {
                throw new LaunchException(Cause.NOT_EXECUTABLE, "workers cannot be started: " + e.getMessage(), e);
            } finally {
                runDirectory.remove();
            }
        }
    }

    private static InetAddress loopback(String address) throws LaunchException {
        try {
            return InetAddress.getByName(address); // a literal, checked by the command line: nothing is looked up
        } catch (IOException e) {
            throw new LaunchException(Cause.USAGE, address + " is no address", e);
        }
    }

    private static void checkProgram(JobSpec spec) throws LaunchException {
        if (spec.program() instanceof Program.Executable program) {
            Executables.check(program.label(), spec.host().environment().getOrDefault("PATH", "/usr/bin:/bin"));
        }
    }

    /** One start of all workers. */
    private final class Attempt {
        private final LaunchPlan plan;
        private final JobSpec spec;
        private final Groups groups;
        private final int port;
        private final Path runDirectory;
        private final String launchId;

        Attempt(LaunchPlan plan, Groups groups, int port, Path runDirectory, String launchId) {
            this.plan = plan;
            this.spec = plan.spec();
            this.groups = groups;
            this.port = port;
            this.runDirectory = runDirectory;
            this.launchId = launchId;
        }

        JobResult run() throws IOException, Stopped, InterruptedException {
            String mainClass = prepare();
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
            var mux = new LogMux(rules(), out, err);
            boolean verb = spec.program() instanceof Program.Java java && java.verb();
            var group = new WorkerGroup(spec.policy(), verb, events);
            WorkerGroup.Outcome outcome;
            try {
                for (ProcessSpec process : processes) {
                    start(process, bindings, directory, mux, group, verb);
                }
            } catch (IOException e) {
                group.abandon();
                group.supervise();
                throw e;
            }
            outcome = group.supervise();
            mux.drain(1000);
            return new JobReport(spec, launchId, directory, err).finish(outcome, mux, verb);
        }

        private Path classes() {
            return runDirectory.resolve("classes");
        }

        private String prepare() throws IOException, Stopped, InterruptedException {
            var helpers = new Helpers(groups, events);
            for (Preparation preparation : spec.preparations()) {
                helpers.prepare(preparation);
            }
            if (spec.program() instanceof Program.Java program && program.source() != null) {
                Files.createDirectory(classes());
                return helpers.compile(program.source(), classes());
            }
            return "";
        }

        private void start(
                ProcessSpec process,
                Bindings bindings,
                JobDirectory directory,
                LogMux mux,
                WorkerGroup group,
                boolean verb)
                throws IOException {
            Child child;
            if (process.controlled()) {
                Path arguments = runDirectory.resolve("rank" + process.rank() + "-" + bindings.attempt() + ".args");
                child = groups.startJava(
                        ArgumentFile.write(arguments, process.command()), process.environment(), Names.WITHHELD);
            } else {
                child = groups.startProgram(process.command(), process.environment(), Names.WITHHELD);
            }
            group.add(new Worker(process, child, verb));
            mux.attach(
                    process.rank(),
                    process.localRank(),
                    child.process().getInputStream(),
                    child.process().getErrorStream(),
                    directory.logs() ? Path.of(bindings.rankDirectory(process.localRank())) : null);
            if (spec.output().verbosity() > 0) {
                LogManager.getLogger()
                        .info("rank {} is process {} on {}", process.rank(), child.pid(), process.device());
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
}
