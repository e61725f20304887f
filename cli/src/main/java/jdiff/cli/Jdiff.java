package jdiff.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import jdiff.cli.launch.LaunchCommand;
import jdiff.cli.launch.StopSignals;
import jdiff.launcher.Cause;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The root command and {@code main}. */
@Command(
        name = "jdiff",
        versionProvider = VersionProvider.class,
        description = "%nRuns diffusion models on many GPUs, or many CPU cores, from one command.",
        synopsisHeading = "usage: ",
        customSynopsis = "jdiff <command> [options]",
        commandListHeading = "%ncommands:%n",
        optionListHeading = "%noptions:%n",
        footer = {
            "",
            "`jdiff <command> --help` shows the options of a command. Start with",
            "  jdiff launch --nproc-per-node 2"
        })
public final class Jdiff implements Callable<Integer> {
    private static final String LAUNCH = "launch";

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version and exit.")
    boolean version;

    @Spec
    private CommandSpec spec;

    Jdiff() {
        this.spec = CommandSpec.create();
    }

    public static void main(String[] args) {
        boolean launch = args.length > 0 && args[0].equals(LAUNCH);
        StopSignals signals = launch ? StopSignals.install() : StopSignals.none();
        System.exit(run(args, signals));
    }

    private static int run(String[] args, StopSignals signals) {
        List<String> words;
        try {
            words = Arguments.exact(args);
        } catch (IllegalArgumentException e) {
            return Errors.report(e, new PrintWriter(System.err, true, StandardCharsets.UTF_8), Map.of(), false);
        }
        return run(words, Verbs.standard(), System.getenv(), signals);
    }

    /** Runs one command line and returns its exit code; nothing is printed or exited behind the caller's back but the command's work. */
    public static int run(List<String> words, Verbs verbs, Map<String, String> environment, StopSignals signals) {
        var out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        var err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        try {
            if (!words.isEmpty() && words.get(0).equals(LAUNCH)) {
                return LaunchCommand.run(words.subList(1, words.size()), verbs, environment, signals, out, err);
            }
            return execute(words, verbs, environment, out, err);
        } catch (Exception e) {
            return Errors.report(e, err, Map.of(), false);
        }
    }

    static int execute(
            List<String> typed, Verbs verbs, Map<String, String> environment, PrintWriter out, PrintWriter err) {
        List<String> words = spelledOut(typed, verbs);
        CommandLine root = root(words, verbs);
        Commands.configure(root, environment, out, err);
        List<String> normal = new ArrayList<>(words);
        CommandLine verb = words.isEmpty() ? null : root.getSubcommands().get(words.get(0));
        if (verb != null) {
            List<String> rest = OptionWords.normalise(verb.getCommandSpec(), words.subList(1, words.size()));
            normal = new ArrayList<>(List.of(words.get(0)));
            normal.addAll(rest);
        }
        return root.execute(normal.toArray(String[]::new));
    }

    /** {@code jdiff help verb} is {@code jdiff verb --help}. */
    private static List<String> spelledOut(List<String> words, Verbs verbs) {
        if (words.isEmpty() || !words.get(0).equals("help")) {
            return words;
        }
        if (words.size() == 1) {
            return List.of("--help");
        }
        String name = words.get(1);
        return name.equals(LAUNCH) || verbs.has(name) ? List.of(name, "--help") : List.of(name);
    }

    /** The root with the verb that is called, or with all of them where help or suggestions need them. */
    private static CommandLine root(List<String> words, Verbs verbs) {
        var root = new CommandLine(new Jdiff());
        String first = words.isEmpty() ? "" : words.get(0);
        if (verbs.has(first)) {
            root.addSubcommand(first, Commands.line(verbs.create(first)));
            return root;
        }
        root.addSubcommand(LAUNCH, LaunchCommand.forHelp());
        verbs.names().forEach(name -> root.addSubcommand(name, Commands.line(verbs.create(name))));
        GroupedHelp.installCommands(root.getCommandSpec());
        return root;
    }

    /** Without a command there is only help to give. */
    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        err.println("jdiff: no command given");
        spec.commandLine().usage(err);
        return Cause.USAGE.exitCode();
    }
}
