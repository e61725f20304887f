package jdiff.cli.inspect;

import java.io.PrintWriter;

/** Text of a report, broken at spaces so that it fits a width. */
final class Paragraphs {
    /** Width of the column of labels. */
    static final int LABEL = 11;

    private final PrintWriter out;
    private final int width;

    Paragraphs(PrintWriter out, int width) {
        this.out = out;
        this.width = width;
    }

    /** A label and what there is to say of it. */
    void row(String label, String text) {
        wrapped("  " + label + " ".repeat(LABEL - label.length()), text);
    }

    /** {@code start} and then the text, of which further lines begin below its first. */
    void wrapped(String start, String text) {
        if (start.length() + text.length() <= width) {
            out.println((start + text).stripTrailing());
            return;
        }
        String indent = start.isBlank() ? start : " ".repeat(Math.min(start.length(), LABEL + 2));
        StringBuilder line = new StringBuilder(start);
        boolean empty = true;
        for (String word : text.split(" ", -1)) {
            if (!empty && line.length() + 1 + word.length() > width) {
                out.println(line.toString().stripTrailing());
                line = new StringBuilder(indent);
                empty = true;
            }
            line.append(empty ? "" : " ").append(word);
            empty = false;
        }
        out.println(line.toString().stripTrailing());
    }
}
