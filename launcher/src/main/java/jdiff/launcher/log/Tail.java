package jdiff.launcher.log;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** The last lines of one rank's stderr, bounded in lines and bytes, for the report. */
final class Tail {
    private static final int LINES = 20;
    private static final int LINE_BYTES = 4096;

    private final Deque<byte[]> lines = new ArrayDeque<>();

    synchronized void add(byte[] line) {
        lines.addLast(line.length <= LINE_BYTES ? line : Arrays.copyOf(line, LINE_BYTES));
        if (lines.size() > LINES) {
            lines.removeFirst();
        }
    }

    synchronized List<String> lines() {
        List<String> texts = new ArrayList<>();
        lines.forEach(line -> texts.add(new String(line, StandardCharsets.UTF_8)));
        return texts;
    }
}
