package jdiff.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Walks over the words of a command line as its options would take them: {@code _} in option names becomes {@code -}, a value is
 * tied to its option by {@code =}, and the end of the options is found.
 *
 * @param options words for picocli
 * @param rest words after the options, unchanged; empty where the whole line is options
 * @param delimited whether {@code --} ended the options
 */
public record OptionWords(List<String> options, List<String> rest, boolean delimited) {
    /** An option that the command does not have. */
    public static final class UnknownOption extends IllegalArgumentException {
        private final String name;

        UnknownOption(String name) {
            super("unknown option " + name);
            this.name = name;
        }

        public String name() {
            return name;
        }
    }

    /**
     * Reads options up to the first word that is none, or {@code --}. Throws {@link UnknownOption}.
     */
    public static OptionWords leading(CommandSpec spec, List<String> words) {
        List<String> options = new ArrayList<>();
        int i = 0;
        while (i < words.size()) {
            String word = words.get(i);
            if (word.equals("--")) {
                return new OptionWords(options, List.copyOf(words.subList(i + 1, words.size())), true);
            }
            if (!isOption(word)) {
                break;
            }
            i = take(spec, words, i, options);
        }
        return new OptionWords(options, List.copyOf(words.subList(i, words.size())), false);
    }

    /** Normalises option names anywhere in a line whose options and other words may be mixed; unknown options are left to picocli. */
    public static List<String> normalise(CommandSpec spec, List<String> words) {
        List<String> normal = new ArrayList<>();
        int i = 0;
        while (i < words.size()) {
            String word = words.get(i);
            if (word.equals("--")) {
                normal.addAll(words.subList(i, words.size()));
                break;
            }
            if (isOption(word) && isKnown(spec, word)) {
                i = take(spec, words, i, normal);
            } else {
                normal.add(word);
                i++;
            }
        }
        return normal;
    }

    private static boolean isOption(String word) {
        return word.length() > 1 && word.charAt(0) == '-';
    }

    private static boolean isKnown(CommandSpec spec, String word) {
        return spec.findOption(nameOf(word)) != null
                || (!word.startsWith("--") && spec.findOption(word.substring(0, 2)) != null);
    }

    /** Adds the option at a position, with its value if it takes one, and returns the position after it. */
    private static int take(CommandSpec spec, List<String> words, int i, List<String> options) {
        String word = words.get(i);
        String name = nameOf(word);
        OptionSpec option = spec.findOption(name);
        if (option == null && !word.startsWith("--")) {
            return takeCluster(spec, words, i, options);
        }
        if (option == null) {
            throw new UnknownOption(word.contains("=") ? word.substring(0, word.indexOf('=')) : word);
        }
        boolean attached = word.indexOf('=') > 0;
        if (option.arity().max() == 0 || attached) {
            options.add(attached ? name + word.substring(word.indexOf('=')) : name);
            return i + 1;
        }
        if (i + 1 >= words.size()) {
            throw new IllegalArgumentException(name + " needs a value (" + option.paramLabel() + ")");
        }
        options.add(name + "=" + words.get(i + 1));
        return i + 2;
    }

    /** Short options in one word: {@code -vv}, {@code -r3}. */
    private static int takeCluster(CommandSpec spec, List<String> words, int i, List<String> options) {
        String word = words.get(i);
        for (int at = 1; at < word.length(); at++) {
            OptionSpec option = spec.findOption("-" + word.charAt(at));
            if (option == null) {
                throw new UnknownOption(word);
            }
            if (option.arity().max() > 0) {
                return takeShortValue(words, i, at, option, options);
            }
            options.add("-" + word.charAt(at));
        }
        return i + 1;
    }

    private static int takeShortValue(List<String> words, int i, int at, OptionSpec option, List<String> options) {
        String name = "-" + words.get(i).charAt(at);
        String attached = words.get(i).substring(at + 1);
        if (!attached.isEmpty()) {
            options.add(name + "=" + (attached.startsWith("=") ? attached.substring(1) : attached));
            return i + 1;
        }
        if (i + 1 >= words.size()) {
            throw new IllegalArgumentException(name + " needs a value (" + option.paramLabel() + ")");
        }
        options.add(name + "=" + words.get(i + 1));
        return i + 2;
    }

    /** The name of a long or exact short option with {@code -} for {@code _}, without its value. */
    private static String nameOf(String word) {
        int equals = word.indexOf('=');
        String name = equals < 0 ? word : word.substring(0, equals);
        return name.startsWith("--") ? name.replace('_', '-') : name;
    }
}
