package jdiff.cli.launch;

import java.util.ArrayList;
import java.util.List;

/** Splits a text of JVM flags at white space; quotes, double or single, keep white space. */
final class FlagWords {
    private FlagWords() {}

    static List<String> split(String text) {
        List<String> words = new ArrayList<>();
        var word = new StringBuilder();
        boolean open = false;
        char quote = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quote != 0) {
                if (c == quote) {
                    quote = 0;
                } else {
                    word.append(c);
                }
            } else if (c == '"' || c == '\'') {
                quote = c;
                open = true;
            } else if (Character.isWhitespace(c)) {
                if (open) {
                    words.add(word.toString());
                    word.setLength(0);
                    open = false;
                }
            } else {
                word.append(c);
                open = true;
            }
        }
        if (quote != 0) {
            throw new IllegalArgumentException("JVM flags '" + text + "': a quote is not closed");
        }
        if (open) {
            words.add(word.toString());
        }
        return words;
    }
}
