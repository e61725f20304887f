package jdiff.launcher.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import jdiff.launcher.Cause;
import jdiff.launcher.JobSpec;
import jdiff.launcher.LaunchException;
import jdiff.launcher.LaunchPlan;
import jdiff.launcher.Program;
import jdiff.launcher.log.ConsoleErr;
import jdiff.launcher.log.ConsoleOut;
import jdiff.launcher.report.JobResult;
import jdiff.launcher.store.StoreServer;

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
                return new Attempt(plan, groups, store.port(), runDirectory.path(), launchId).run(events, out, err);
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
}
