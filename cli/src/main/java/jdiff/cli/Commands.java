package jdiff.cli;

import java.io.PrintWriter;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What all commands have in common: no {@code @file} expansion, no abbreviations, defaults from the environment, one handler of errors. */
public final class Commands {
    private static final int WIDTH = 100;

    private Commands() {}

    /** A command with {@code --help} and {@code --version}, which it has at every level. */
    public static CommandLine line(Object command) {
        var line = new CommandLine(command);
        CommandSpec spec = line.getCommandSpec();
        spec.versionProvider(new VersionProvider());
        addUnlessPresent(
                spec, OptionSpec.builder("-h", "--help").usageHelp(true).description("Show this help and exit."));
        addUnlessPresent(
                spec,
                OptionSpec.builder("-V", "--version").versionHelp(true).description("Show the version and exit."));
        return line;
    }

    private static void addUnlessPresent(CommandSpec spec, OptionSpec.Builder option) {
        for (String name : option.names()) {
            if (spec.findOption(name) != null) {
                return;
            }
        }
        spec.addOption(option.type(boolean.class).build());
    }

    public static void configure(
            CommandLine command, Map<String, String> environment, PrintWriter out, PrintWriter err) {
        command.setExpandAtFiles(false);
        command.setOut(out);
        command.setErr(err);
        command.setUsageHelpWidth(WIDTH);
        command.setDefaultValueProvider(new EnvironmentDefaults(environment));
        command.setParameterExceptionHandler((e, args) -> Errors.usage(e, err));
        command.setExecutionExceptionHandler(
                (e, line, result) -> Errors.report(e, line.getErr(), environment, isVerbose(result)));
    }

    /** Whether the line that failed asked for details. */
    private static boolean isVerbose(CommandLine.ParseResult result) {
        for (CommandLine.ParseResult level = result; level != null; level = level.subcommand()) {
            if (level.hasMatchedOption("--verbose")) {
                return true;
            }
        }
        return false;
    }
}
