package jdiff.cli.launch;

import java.util.ArrayList;
import java.util.List;
import jdiff.cli.OptionWords;
import jdiff.cli.Verbs;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Splits the line into launch options and program, and explains options that {@code launch} does not have. */
final class LaunchLine {
    private static final int FAR = 4;

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
        String nearest = nearest(name, spec);
        return "unknown option " + typed + (nearest.isEmpty() ? "" : "; did you mean " + nearest + "?")
                + " (jdiff launch --help lists all; options of a program stand after it)";
    }

    private static boolean isOfDefaultVerb(String name, Verbs verbs) {
        return verbs.has(Verbs.DEFAULT)
                && new CommandLine(verbs.create(Verbs.DEFAULT)).getCommandSpec().findOption(name) != null;
    }

    private static String nearest(String name, CommandSpec spec) {
        List<String> names = new ArrayList<>();
        spec.options().stream()
                .filter(option -> !option.hidden())
                .forEach(option -> names.addAll(List.of(option.names())));
        String best = "";
        int bestDistance = FAR;
        for (String candidate : names) {
            int distance = distance(name, candidate);
            if (distance < bestDistance || (bestDistance == FAR && candidate.startsWith(name) && name.length() > 3)) {
                best = candidate;
                bestDistance = Math.min(distance, FAR - 1);
            }
        }
        return best;
    }

    /** Levenshtein distance. */
    static int distance(String a, String b) {
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] current = new int[b.length() + 1];
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(change, Math.min(previous[j], current[j - 1]) + 1);
            }
            previous = current;
        }
        return previous[b.length()];
    }
}
