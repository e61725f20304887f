package jdiff.runtime.job;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Lines of a file as {@code wc -l} counts them, plus an unterminated last one: only LF ends a line, a CR before it belongs to the
 * line end, a byte order mark at the start of the file is skipped. A line above {@link #MAX_BYTES} is read past, not kept.
 */
final class LineReader implements Closeable {
    /** Longest line, in bytes. */
    static final int MAX_BYTES = 1 << 20;

    private final InputStream in;
    private final byte[] buffer = new byte[64 << 10];
    private int position;
    private int limit;
    private byte[] line = new byte[256];
    private int length;
    private boolean tooLong;
    private boolean first = true;

    LineReader(InputStream in) {
        this.in = in;
    }

    /** Moves to the next line; false at the end of the file. */
    boolean next() throws IOException {
        length = 0;
        tooLong = false;
        boolean any = false;
        while (true) {
            if (position == limit) {
                limit = Math.max(0, in.read(buffer));
                position = 0;
                if (limit == 0) {
                    dropByteOrderMark();
                    return any;
                }
            }
            any = true;
            int end = lineEnd();
            append(end);
            position = end;
            if (end < limit) {
                position++;
                if (length > 0 && line[length - 1] == '\r') {
                    length--;
                }
                dropByteOrderMark();
                return true;
            }
        }
    }

    private int lineEnd() {
        for (int i = position; i < limit; i++) {
            if (buffer[i] == '\n') {
                return i;
            }
        }
        return limit;
    }

    private void append(int end) {
        // A byte order mark and a CR do not count, but have their place.
        int count = Math.min(end - position, MAX_BYTES + 4 - length);
        tooLong |= count < end - position;
        if (length + count > line.length) {
            line = Arrays.copyOf(line, Math.min(MAX_BYTES + 4, Math.max(2 * line.length, length + count)));
        }
        System.arraycopy(buffer, position, line, length, count);
        length += count;
    }

    private void dropByteOrderMark() {
        if (first && startsWithMark(line, length)) {
            length -= 3;
            System.arraycopy(line, 3, line, 0, length);
        }
        first = false;
    }

    private static boolean startsWithMark(byte[] bytes, int length) {
        return length >= 3 && bytes[0] == (byte) 0xef && bytes[1] == (byte) 0xbb && bytes[2] == (byte) 0xbf;
    }

    /** The bytes of the line, valid up to {@link #length} and until the next call of {@link #next}. */
    byte[] bytes() {
        return line;
    }

    int length() {
        return length;
    }

    boolean isTooLong() {
        return tooLong || length > MAX_BYTES;
    }

    /** Whether there is nothing but spaces and tabs. */
    boolean isBlank() {
        for (int i = 0; i < length; i++) {
            if (line[i] != ' ' && line[i] != '\t') {
                return false;
            }
        }
        return !tooLong;
    }

    /** The first byte after a byte order mark, or -1. */
    static int firstByte(InputStream in) throws IOException {
        byte[] start = in.readNBytes(4);
        int at = startsWithMark(start, start.length) ? 3 : 0;
        return at < start.length ? start[at] : -1;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
