package jdiff.runtime.config;

/** Text from files as it may stand in a message: short, and without control characters. */
public final class Shown {
    private Shown() {}

    /** At most {@code max} characters of {@code text}; control characters become escapes. */
    public static String cut(String text, int max) {
        var out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            if (i == max) {
                return out.append("… (")
                        .append(text.length())
                        .append(" characters)")
                        .toString();
            }
            char c = text.charAt(i);
            if (c < 0x20 || (c >= 0x7f && c < 0xa0) || (Character.isSurrogate(c) && !paired(text, i))) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    private static boolean paired(String text, int i) {
        return Character.isHighSurrogate(text.charAt(i))
                ? i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))
                : i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
    }
}
