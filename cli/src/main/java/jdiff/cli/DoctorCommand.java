package jdiff.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import jdiff.cli.doctor.Checks;
import jdiff.cli.doctor.Machine;
import jdiff.cli.doctor.Report;
import jdiff.runtime.fault.Fault;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Says what this machine has and what is missing. */
@Command(
        name = "doctor",
        synopsisHeading = "usage: ",
        customSynopsis = "jdiff doctor [options]",
        sortOptions = false,
        description = {
            "%nSays what this machine has for jdiff, and what is missing for CUDA.",
            "One line per check: ok, warn or fail, and what to do. Exits with 78 if a check fails."
        },
        optionListHeading = "%noptions:%n")
public final class DoctorCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(names = "--json", description = "Print one JSON object instead of lines.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        Report report = new Report(Checks.run(Machine.here()));
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            report.printJson(out);
        } else {
            report.printLines(out);
        }
        return report.isHealthy() ? 0 : Fault.CONFIG.exitCode();
    }
}
