package jdiff.cli.launch;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import jdiff.cli.Commands;
import jdiff.cli.EnvironmentDefaults;
import jdiff.cli.Errors;
import jdiff.cli.OptionWords;
import jdiff.cli.RankVerb;
import jdiff.cli.Verbs;
import picocli.CommandLine;

/** Parses and checks the arguments of a verb in the launcher, so that a usage error starts no process. */
final class VerbCheck {
    private VerbCheck() {}

    /** Shows the verb's own help if that is asked for. */
    static boolean isHelp(OptionWords line, boolean noJava, Verbs verbs, PrintWriter out) {
        String name = verb(line, noJava, verbs);
        if (name.isEmpty() || !verbs.has(name)) {
            return false;
        }
        List<String> words = arguments(line);
        if (words.contains("--help") || words.contains("-h")) {
            Commands.line(verbs.create(name)).usage(out);
            return true;
        }
        return false;
    }

    /** Returns the line for the workers. Throws IllegalArgumentException or what the verb's own check throws. */
    static OptionWords check(OptionWords line, boolean noJava, Verbs verbs, Map<String, String> environment)
            throws IOException {
        String name = verb(line, noJava, verbs);
        if (name.isEmpty()) {
            return line;
        }
        if (!verbs.has(name)) {
            throw new IllegalArgumentException("the verb " + name + " is not part of this build; name a program");
        }
        Object command = verbs.create(name);
        if (!(command instanceof RankVerb rankVerb)) {
            throw new IllegalArgumentException(
                    "'" + name + "' does not run on ranks; run it alone: jdiff " + name + " …");
        }
        CommandLine commandLine = Commands.line(command);
        commandLine.setExpandAtFiles(false);
        commandLine.setDefaultValueProvider(new EnvironmentDefaults(environment));
        try {
            List<String> words = OptionWords.normalise(commandLine.getCommandSpec(), arguments(line));
            commandLine.parseArgs(words.toArray(String[]::new));
        } catch (CommandLine.ParameterException e) {
            throw new IllegalArgumentException(name + ": " + Errors.usageMessage(e), e);
        }
        rankVerb.check();
        if (rankVerb.workerWords().isEmpty()) {
            return line;
        }
        List<String> rest = new ArrayList<>(line.rest());
        rest.addAll(rankVerb.workerWords());
        return new OptionWords(line.options(), rest, line.delimited() || isDefault(line));
    }

    private static String verb(OptionWords line, boolean noJava, Verbs verbs) {
        List<String> words = line.rest();
        if (noJava) {
            return "";
        }
        if (isDefault(line)) {
            return Verbs.DEFAULT;
        }
        String first = words.get(0);
        return verbs.has(first) || first.equals(Verbs.DEFAULT) ? first : "";
    }

    private static boolean isDefault(OptionWords line) {
        return line.rest().isEmpty() || (line.delimited() && line.rest().get(0).startsWith("-"));
    }

    private static List<String> arguments(OptionWords line) {
        return isDefault(line)
                ? line.rest()
                : line.rest().subList(1, line.rest().size());
    }
}
