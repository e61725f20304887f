package jdiff.cli.launch;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import jdiff.cli.Commands;
import jdiff.cli.EnvironmentDefaults;
import jdiff.cli.Errors;
import jdiff.cli.GroupedHelp;
import jdiff.cli.OptionWords;
import jdiff.cli.Verbs;
import jdiff.cli.log.ConsoleContext;
import jdiff.launcher.Cause;
import jdiff.launcher.JobSpec;
import jdiff.launcher.LaunchException;
import jdiff.launcher.LaunchPlan;
import jdiff.launcher.Launcher;
import jdiff.launcher.PlanPrinter;
import jdiff.launcher.Setting;
import jdiff.launcher.host.Host;
import jdiff.launcher.log.ConsoleErr;
import jdiff.launcher.log.ConsoleOut;
import jdiff.launcher.report.JobResult;
import org.apache.logging.log4j.LogManager;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code jdiff launch}: one worker process per rank, with torchrun's environment and options. */
@Command(
        name = "jdiff launch",
        synopsisHeading = "usage: ",
        customSynopsis = "jdiff launch [launch options] [--] [<program> [args...]]",
        description = {
            "%nStarts one worker process per rank, watches them, and stops all when one fails.",
            "%n<program> is one of",
            "  a verb of jdiff that runs on ranks; none means generate",
            "  a .java file, compiled once and run with jdiff's classes on the class path",
            "  a .jar file with a main class, or with --class-path the name of a class",
            "  anything, with --no-java",
            "Words from <program> on are passed to it unchanged."
        },
        optionListHeading = "",
        footer = {
            "",
            "Every option also exists with _ for -, as --option value and --option=value, and as a variable: JDIFF_NPROC_PER_NODE,"
                    + " else torchrun's PET_NPROC_PER_NODE.",
            "Exit codes: that of the rank that failed first, 128+n for signal n; 2 for a bad option; 126, 127 if the program cannot"
                    + " be run or found.",
            "",
            "Examples:",
            "  jdiff launch --nproc-per-node 2",
            "  jdiff launch --nproc-per-node gpu generate --prompt \"a red fox\"",
            "  jdiff launch --nproc-per-node 2 Hello.java",
            "  jdiff launch --nproc-per-node 2 --no-java python script.py"
        })
public final class LaunchCommand implements Callable<Integer> {
    private static final Map<String, String> HEADINGS = headings();

    @Mixin
    final RankOptions ranks = new RankOptions();

    @Mixin
    final ProgramOptions program = new ProgramOptions();

    @Mixin
    final StoreOptions store = new StoreOptions();

    @Mixin
    final StreamOptions streams = new StreamOptions();

    @Mixin
    final StopOptions stop = new StopOptions();

    @Mixin
    final IgnoredOptions ignored = new IgnoredOptions();

    @Option(
            names = "--dry-run",
            description = "Print every resolved option and, per rank, node, device, command and environment.")
    boolean dryRun;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    boolean help;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final Verbs verbs;
    private final Map<String, String> environment;
    private final StopSignals signals;
    private @Nullable OptionWords line;

    private LaunchCommand(Verbs verbs, Map<String, String> environment, StopSignals signals) {
        this.verbs = verbs;
        this.environment = environment;
        this.signals = signals;
    }

    private static Map<String, String> headings() {
        Map<String, String> headings = new LinkedHashMap<>();
        headings.put("ranks", "ranks and devices:");
        headings.put("program", "program:");
        headings.put("store", "rendezvous:");
        headings.put("streams", "output:");
        headings.put("stop", "failures and stopping:");
        return headings;
    }

    /** A command that can show its help but not run. */
    public static CommandLine forHelp() {
        return commandLine(new LaunchCommand(Verbs.standard(), Map.of(), StopSignals.none()));
    }

    private static CommandLine commandLine(LaunchCommand command) {
        CommandLine commandLine = Commands.line(command);
        GroupedHelp.install(commandLine.getCommandSpec(), HEADINGS, "information:");
        return commandLine;
    }

    /** Runs {@code launch} with the words after it. */
    public static int run(
            List<String> words,
            Verbs verbs,
            Map<String, String> environment,
            StopSignals signals,
            PrintWriter out,
            PrintWriter err)
            throws IOException {
        var command = new LaunchCommand(verbs, environment, signals);
        CommandLine commandLine = commandLine(command);
        Commands.configure(commandLine, environment, out, err);
        // The launcher speaks for itself, even where it is a worker of another launcher.
        commandLine.setExecutionExceptionHandler(
                (e, line, result) -> Errors.report(e, err, Map.of(), command.verbosity() > 0));
        command.line = LaunchLine.read(commandLine.getCommandSpec(), words, verbs);
        return commandLine.execute(command.line.options().toArray(String[]::new));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        ConsoleContext.setVerbosity(verbosity());
        ignored.given().forEach((name, given) -> {
            if (given) {
                LogManager.getLogger().warn("{} has no effect here", name);
            }
        });
        OptionWords words = line == null ? new OptionWords(List.of(), List.of(), false) : line;
        if (VerbCheck.isHelp(words, program.noJava, verbs, spec.commandLine().getOut())) {
            return 0;
        }
        // First what is wrong with the launch itself: the verb may have to wait for its input.
        var builder = new JobBuilder(this, verbs, Host.current(environment));
        JobSpec job = build(builder, words);
        OptionWords forWorkers = VerbCheck.check(words, program.noJava, verbs, environment);
        LaunchPlan plan = Launcher.plan(
                job.running(builder.program(forWorkers, job.ranks().perNode())));
        if (dryRun) {
            PlanPrinter.lines(plan).forEach(spec.commandLine().getOut()::println);
            return 0;
        }
        return run(plan);
    }

    /** Who did not type a bad option must be told which variable sets it. */
    private JobSpec build(JobBuilder builder, OptionWords words) throws IOException {
        try {
            return builder.build(words);
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            var defaults = new EnvironmentDefaults(environment);
            for (OptionSpec option : spec.options()) {
                String variable = defaults.variable(option);
                boolean named = (message + " ").matches("(?s).*" + option.longestName() + "[ :].*");
                if (named && variable != null && source(option).equals(variable)) {
                    throw new IllegalArgumentException(message + " (set by " + variable + ")", e);
                }
            }
            throw e;
        }
    }

    private int run(LaunchPlan plan) throws InterruptedException {
        ConsoleErr err = ConsoleErr.standard(plan.spec().output().onTerminal());
        System.setErr(err.asPrintStream());
        var launcher = new Launcher(ConsoleOut.standard(err), err);
        signals.restrictTo(plan.spec().policy().signals());
        signals.forwardTo(launcher);
        try {
            JobResult result = launcher.run(plan);
            return shown(result.code(), plan);
        } catch (LaunchException e) {
            err.notice(String.valueOf(e.getMessage()));
            return shown(e.reason().exitCode(), plan);
        } finally {
            err.flush(1000);
        }
    }

    /** With {@code --exit-code flat} every failure of a started job is 1. */
    private static int shown(int code, LaunchPlan plan) {
        return plan.spec().policy().flatExitCode() && code != 0 && code != Cause.USAGE.exitCode() ? 1 : code;
    }

    int verbosity() {
        return streams.quiet ? -1 : streams.verbose.length;
    }

    /** Whether an option was set by the user, on the command line or by a variable. */
    boolean isGiven(String name) {
        return !source(spec.findOption(name)).equals("default");
    }

    private String source(OptionSpec option) {
        if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
            return "command line";
        }
        String variable = new EnvironmentDefaults(environment).variable(option);
        return variable == null ? "default" : variable;
    }

    /** Every option with its value and source, in the order of the help; resolved values replace what was typed. */
    List<Setting> settings(Map<String, String> resolved, String programLabel, Host host) {
        List<Setting> settings = new ArrayList<>();
        settings.add(new Setting(
                "program", programLabel, line == null || line.rest().isEmpty() ? "default" : "command line"));
        for (String mixin : HEADINGS.keySet()) {
            for (OptionSpec option :
                    Objects.requireNonNull(spec.mixins().get(mixin)).options()) {
                String name = EnvironmentDefaults.nameOf(option);
                String value = resolved.getOrDefault("--" + name, text(option.getValue()));
                settings.add(new Setting(name, value, source(spec.findOption("--" + name))));
            }
        }
        settings.add(new Setting("usable CPUs", Integer.toString(host.cpus()), "this machine"));
        settings.add(new Setting("visible GPUs", host.gpus().toString(), "this machine"));
        return settings;
    }

    private static String text(@Nullable Object value) {
        if (value instanceof boolean[] flags) {
            return Integer.toString(flags.length);
        }
        String text = String.valueOf(value);
        return text.isEmpty() ? "-" : text;
    }
}
