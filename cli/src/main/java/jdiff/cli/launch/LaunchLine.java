package jdiff.cli.launch;

import java.util.List;
import jdiff.cli.Errors;
import jdiff.cli.OptionWords;
import jdiff.cli.Suggestion;
import jdiff.cli.Verbs;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Splits the line into launch options and program, and explains options that {@code launch} does not have. */
final class LaunchLine {
    private LaunchLine() {}

    static OptionWords read(CommandSpec spec, List<String> words, Verbs verbs) {
        try {
            return OptionWords.leading(spec, words);
        } catch (OptionWords.UnknownOption e) {
            throw new IllegalArgumentException(explain(spec, e.name(), verbs), e);
        }
    }

    private static String explain(CommandSpec spec, String typed, Verbs verbs) {
        String name = typed.startsWith("--") ? typed.replace('_', '-') : typed;
        if (UnbuiltOptions.has(name)) {
            return UnbuiltOptions.message(name);
        }
        if (isOfDefaultVerb(name, verbs)) {
            return typed + " is an option of " + Verbs.DEFAULT + ": put `" + Verbs.DEFAULT + "` before it";
        }
        String nearest = Suggestion.of(name, Errors.optionNames(spec));
        return "unknown option " + typed + (nearest.isEmpty() ? "" : "; did you mean " + nearest + "?")
                + " (jdiff launch --help lists all; options of a program stand after it)";
    }

    private static boolean isOfDefaultVerb(String name, Verbs verbs) {
        return verbs.has(Verbs.DEFAULT)
                && new CommandLine(verbs.create(Verbs.DEFAULT)).getCommandSpec().findOption(name) != null;
    }
}
