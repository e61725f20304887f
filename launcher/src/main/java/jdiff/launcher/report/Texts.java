package jdiff.launcher.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Makes foreign text safe to show: control characters escaped, values of secret variables replaced. */
public final class Texts {
    private static final int SHORTEST_SECRET = 6;
    private static final int ZERO_WIDTH_NON_JOINER = 0x200c;
    private static final int ZERO_WIDTH_JOINER = 0x200d;
    private static final List<String> SECRET_WORDS =
            List.of("TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "API_KEY", "ACCESS_KEY", "PRIVATE_KEY");

    private final List<String> secrets;

    public Texts(Map<String, String> environment) {
        List<String> found = new ArrayList<>();
        environment.forEach((name, value) -> {
            if (isSecret(name) && value.length() >= SHORTEST_SECRET) {
                found.add(value);
            }
        });
        found.sort(Comparator.comparingInt(String::length).reversed());
        this.secrets = List.copyOf(found);
    }

    static boolean isSecret(String variable) {
        String name = variable.toUpperCase(Locale.ROOT);
        return SECRET_WORDS.stream().anyMatch(name::contains) && !name.endsWith("_FILE");
    }

    /** Replaces every secret value by {@code ***}. */
    public String redact(String text) {
        String result = text;
        for (String secret : secrets) {
            result = result.replace(secret, "***");
        }
        return result;
    }

    /** Redacts, and escapes control characters except tab, so that text of a worker cannot drive the terminal. */
    public String line(String text) {
        return escape(redact(text));
    }

    static String escape(String text) {
        var safe = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (c == '\n') {
                safe.append("\\n");
            } else if (isControl(c)) {
                safe.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                safe.appendCodePoint(c);
            }
        });
        return safe.toString();
    }

    /** Also the invisible format characters that turn text around; the joiner of emoji and scripts stays. */
    private static boolean isControl(int c) {
        boolean format =
                Character.getType(c) == Character.FORMAT && c != ZERO_WIDTH_JOINER && c != ZERO_WIDTH_NON_JOINER;
        return (Character.isISOControl(c) && c != '\t') || format;
    }
}
