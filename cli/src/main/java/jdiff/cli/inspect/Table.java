package jdiff.cli.inspect;

import java.util.ArrayList;
import java.util.List;

/** Rows of cells in aligned columns; the first is text, of the others those that are numbers stand to the right. */
final class Table {
    private static final String GAP = "  ";
    private static final int LEAST_FIRST = 12;

    private final List<String[]> rows = new ArrayList<>();
    private final String alignment;

    /**
     * @param alignment one letter per column after the first: {@code l} or {@code r}
     */
    Table(String alignment) {
        this.alignment = alignment;
    }

    void row(String... cells) {
        rows.add(cells);
    }

    /**
     * The lines, each at most {@code width} characters long where the columns after the first leave room for it; a first cell that
     * is too long for its column has a line of its own.
     */
    List<String> lines(int width) {
        int[] widths = new int[alignment.length() + 1];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        int rest = 0;
        for (int i = 1; i < widths.length; i++) {
            rest += widths[i] + GAP.length();
        }
        int most = Math.max(LEAST_FIRST, width - rest);
        widths[0] = rows.stream()
                .mapToInt(row -> row[0].length())
                .filter(length -> length <= most)
                .max()
                .orElse(0);
        List<String> lines = new ArrayList<>();
        for (String[] row : rows) {
            boolean fits = row[0].length() <= widths[0];
            if (!fits) {
                lines.add(row[0]);
            }
            var line = new StringBuilder(padded(fits ? row[0] : "", widths[0], 'l'));
            for (int i = 1; i < row.length; i++) {
                line.append(GAP).append(padded(row[i], widths[i], alignment.charAt(i - 1)));
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }

    private static String padded(String text, int width, char side) {
        String space = " ".repeat(Math.max(0, width - text.length()));
        return side == 'r' ? space + text : text + space;
    }
}
