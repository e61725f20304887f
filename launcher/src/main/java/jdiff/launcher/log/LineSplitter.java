package jdiff.launcher.log;

import java.util.Arrays;

/** Cuts a byte stream into lines, whatever the chunks. Lines beyond 1 MiB are cut, so a stream without line ends needs no more memory. */
final class LineSplitter {
    static final int MAX_LINE = 1 << 20;
    private static final int INITIAL = 256;

    private final Lines lines;
    private byte[] buffer = new byte[INITIAL];
    private int length;
    private boolean pendingReturn;

    LineSplitter(Lines lines) {
        this.lines = lines;
    }

    /** Receives lines without their ends. */
    interface Lines {
        /** A line that ended with LF or CRLF, was cut for its length, or ended with the stream. */
        void line(byte[] line);

        /** A line that ended with a lone carriage return: progress that the next one replaces. */
        void transientLine(byte[] line);
    }

    void feed(byte[] chunk, int count) {
        int start = 0;
        for (int i = 0; i < count; i++) {
            byte b = chunk[i];
            if (b != '\n' && b != '\r' && !pendingReturn) {
                continue;
            }
            if (pendingReturn && b != '\n' && b != '\r') {
                pendingReturn = false;
                lines.transientLine(take());
                start = i;
                continue;
            }
            append(chunk, start, i);
            start = i + 1;
            if (b == '\n') {
                pendingReturn = false;
                lines.line(take());
            } else {
                // Its meaning depends on the next byte, which may come in another chunk; several returns count as one.
                pendingReturn = true;
            }
        }
        append(chunk, start, count);
    }

    /** The stream has ended: what is left is a line, unless it only wiped out progress. */
    void end() {
        boolean any = pendingReturn || length > 0;
        byte[] rest = take();
        if (pendingReturn && isBlank(rest)) {
            lines.transientLine(rest);
        } else if (any) {
            lines.line(rest);
        }
        pendingReturn = false;
    }

    static boolean isBlank(byte[] line) {
        for (byte b : line) {
            if (b != ' ') {
                return false;
            }
        }
        return true;
    }

    private void append(byte[] chunk, int from, int to) {
        int position = from;
        while (position < to) {
            int count = Math.min(to - position, MAX_LINE - length);
            if (length + count > buffer.length) {
                buffer = Arrays.copyOf(buffer, Math.min(MAX_LINE, Math.max(length + count, buffer.length * 2)));
            }
            System.arraycopy(chunk, position, buffer, length, count);
            length += count;
            position += count;
            if (length == MAX_LINE && position < to) {
                lines.line(take());
            }
        }
    }

    private byte[] take() {
        byte[] line = Arrays.copyOf(buffer, length);
        length = 0;
        if (buffer.length > INITIAL * 16) {
            buffer = new byte[INITIAL];
        }
        return line;
    }
}
