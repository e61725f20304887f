package jdiff.runtime.safetensors;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Pulls JSON tokens out of header bytes that are known to be UTF-8 without NUL. A reader of its own because a header may be
 * 100 MB: nothing is kept but the bytes, and every error has its byte offset.
 */
final class HeaderScanner {
    /** Deepest nesting, the root object included. */
    private static final int MAX_DEPTH = 4;

    private final byte[] bytes;
    private int at;
    private int depth;
    /** Content of the last string, or the last number. */
    private int start;

    private int end;
    private int stringBytes;

    HeaderScanner(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Syntax error at a byte of the header. */
    static final class Broken extends Exception {
        final int offset;

        Broken(int offset, String wanted) {
            super(wanted, null, false, false);
            this.offset = offset;
        }
    }

    /** First byte of the next token, not consumed; 0 at the end. */
    int peek() {
        while (at < bytes.length) {
            byte b = bytes[at];
            if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
                return b;
            }
            at++;
        }
        return 0;
    }

    /** Enters the object or array whose opening sign is next. */
    void open(char sign) throws Broken {
        expect(sign);
        if (++depth > MAX_DEPTH) {
            throw new Broken(at - 1, "at most " + MAX_DEPTH + " levels of nesting");
        }
    }

    /**
     * Whether another member of the entered object or array follows. Call it before each member; {@code first} says that none
     * was read yet. Leaves the object or array when it returns false.
     */
    boolean more(char close, boolean first) throws Broken {
        if (peek() == close) {
            at++;
            depth--;
            return false;
        }
        if (!first) {
            if (peek() != ',') {
                throw new Broken(at, "',' or '" + close + "'");
            }
            at++;
            if (peek() == close) {
                throw new Broken(at, "another member after ','");
            }
        }
        return true;
    }

    /** Offset of the next byte. */
    int offset() {
        return at;
    }

    /** A key and its colon; null if the key has more than {@code maxBytes}, escapes resolved. */
    @Nullable String key(int maxBytes) throws Broken {
        String key = string(maxBytes);
        expect(':');
        return key;
    }

    /** A string; null if it has more than {@code maxBytes}, escapes resolved. */
    @Nullable String string(int maxBytes) throws Broken {
        pass();
        if (stringBytes > maxBytes) {
            return null;
        }
        if (stringBytes == end - start) {
            return new String(bytes, start, stringBytes, StandardCharsets.UTF_8);
        }
        var out = new ByteArrayOutputStream(stringBytes);
        for (at = start; at < end; ) {
            if (bytes[at] == '\\') {
                out.writeBytes(Character.toString(escape()).getBytes(StandardCharsets.UTF_8));
            } else {
                out.write(bytes[at++]);
            }
        }
        at++;
        return out.toString(StandardCharsets.UTF_8);
    }

    /** Bytes of the string that was read last, escapes resolved. */
    int stringBytes() {
        return stringBytes;
    }

    /** Passes a string and checks it: {@code start..end} is its content. Nothing is copied, for it may be 100 MB. */
    private void pass() throws Broken {
        expect('"');
        start = at;
        stringBytes = 0;
        while (byteAt(at) != '"') {
            if (at >= bytes.length) {
                throw new Broken(at, "'\"' at the end of the string");
            }
            byte b = bytes[at];
            if (b >= 0 && b < 0x20) {
                throw new Broken(at, "no control character inside a string");
            }
            if (b == '\\') {
                int c = escape();
                stringBytes += c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
            } else {
                at++;
                stringBytes++;
            }
        }
        end = at++;
    }

    /** Passes a number: its value if it is digits only and below 2^63, else -1. */
    long number() throws Broken {
        peek();
        start = at;
        if (byteAt(at) == '-') {
            at++;
        }
        if (byteAt(at) == '0') {
            at++;
        } else {
            digits();
        }
        if (byteAt(at) == '.') {
            at++;
            digits();
        }
        if (byteAt(at) == 'e' || byteAt(at) == 'E') {
            at++;
            if (byteAt(at) == '+' || byteAt(at) == '-') {
                at++;
            }
            digits();
        }
        end = at;
        long value = 0;
        for (int i = start; i < end; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9 || value > (Long.MAX_VALUE - digit) / 10) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }

    /** The number that was read last, as it stands there. */
    String literal() {
        // ISO_8859_1: digits only, one byte per character.
        return new String(bytes, start, end - start, StandardCharsets.ISO_8859_1);
    }

    /** Skips any value. */
    void skip() throws Broken {
        switch (peek()) {
            case '{' -> {
                open('{');
                for (boolean first = true; more('}', first); first = false) {
                    pass();
                    expect(':');
                    skip();
                }
            }
            case '[' -> {
                open('[');
                for (boolean first = true; more(']', first); first = false) {
                    skip();
                }
            }
            case '"' -> pass();
            case 't' -> word("true");
            case 'f' -> word("false");
            case 'n' -> word("null");
            default -> number();
        }
    }

    /** Only white space may follow. */
    void end() throws Broken {
        if (peek() != 0) {
            throw new Broken(at, "nothing after the object");
        }
    }

    private void expect(char sign) throws Broken {
        if (peek() != sign) {
            throw new Broken(at, "'" + sign + "'");
        }
        at++;
    }

    private void word(String word) throws Broken {
        for (int i = 0; i < word.length(); i++) {
            if (byteAt(at + i) != word.charAt(i)) {
                throw new Broken(at, word);
            }
        }
        at += word.length();
    }

    private void digits() throws Broken {
        int start = at;
        while (byteAt(at) >= '0' && byteAt(at) <= '9') {
            at++;
        }
        if (at == start) {
            throw new Broken(at, "a value");
        }
    }

    /** Passes one escape; the two of a surrogate pair count as one. */
    private int escape() throws Broken {
        at++;
        int sign = byteAt(at++);
        return switch (sign) {
            case '"', '\\', '/' -> sign;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                char unit = unit();
                if (!Character.isSurrogate(unit)) {
                    yield unit;
                }
                int second = at;
                if (Character.isHighSurrogate(unit) && byteAt(at) == '\\' && byteAt(at + 1) == 'u') {
                    at += 2;
                    char low = unit();
                    if (Character.isLowSurrogate(low)) {
                        yield Character.toCodePoint(unit, low);
                    }
                }
                throw new Broken(second, "surrogates only in pairs inside a string");
            }
            default -> throw new Broken(at - 1, "one of \" \\ / b f n r t u after '\\'");
        };
    }

    private char unit() throws Broken {
        int value = 0;
        for (int i = 0; i < 4; i++) {
            int digit = Character.digit(byteAt(at), 16);
            if (digit < 0) {
                throw new Broken(at, "four hexadecimal digits");
            }
            value = value * 16 + digit;
            at++;
        }
        return (char) value;
    }

    private int byteAt(int offset) {
        return offset < bytes.length ? bytes[offset] : 0;
    }
}
