package jdiff.launcher.process;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the class that a single-file program is started with: the first top-level type of the file, as {@code java File.java} does. */
final class MainClass {
    private static final Pattern PACKAGE = Pattern.compile("\\bpackage\\s+([\\w.]+)\\s*;");
    private static final Pattern TYPE = Pattern.compile("\\b(?:class|record|enum|interface)\\s+(\\w+)");

    private MainClass() {}

    /** The binary name; empty if the file declares no type (then the compiler names the class after the file). */
    static Optional<String> of(String source) {
        String code = topLevel(source);
        Matcher type = TYPE.matcher(code);
        if (!type.find()) {
            return Optional.empty();
        }
        Matcher name = PACKAGE.matcher(code.substring(0, type.start()));
        return Optional.of(name.find() ? name.group(1) + "." + type.group(1) : type.group(1));
    }

    /** The source without comments, literals and everything in braces or parentheses (annotations have the latter). */
    private static String topLevel(String source) {
        var code = new StringBuilder();
        int depth = 0;
        int i = 0;
        while (i < source.length()) {
            int end = skipped(source, i);
            if (end > i) {
                code.append(' ');
                i = end;
                continue;
            }
            char c = source.charAt(i);
            if (c == '{' || c == '(') {
                depth++;
            } else if (c == '}' || c == ')') {
                depth--;
            } else if (depth == 0) {
                code.append(c);
            }
            i++;
        }
        return code.toString();
    }

    /** End of the comment or literal that begins at a position; the position itself if none does. */
    private static int skipped(String source, int start) {
        if (source.startsWith("//", start)) {
            return endOf(source, "\n", start);
        }
        if (source.startsWith("/*", start)) {
            return endOf(source, "*/", start + 2);
        }
        for (String quote : List.of("\"\"\"", "\"", "'")) {
            if (source.startsWith(quote, start)) {
                int i = start + quote.length();
                while (i < source.length() && !source.startsWith(quote, i)) {
                    i += source.charAt(i) == '\\' ? 2 : 1;
                }
                return Math.min(source.length(), i + quote.length());
            }
        }
        return start;
    }

    private static int endOf(String source, String end, int from) {
        int found = source.indexOf(end, from);
        return found < 0 ? source.length() : found + end.length();
    }
}
