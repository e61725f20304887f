package jdiff.runtime.safetensors;

import java.nio.charset.StandardCharsets;
import jdiff.runtime.config.Utf8;

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

    /** A key and its colon. */
    String key() throws Broken {
        String key = string();
        expect(':');
        return key;
    }

    String string() throws Broken {
        expect('"');
        int start = at;
        while (at < bytes.length) {
            byte b = bytes[at];
            if (b == '"') {
                return new String(bytes, start, at++ - start, StandardCharsets.UTF_8);
            }
            if (b == '\\') {
                return escaped(start);
            }
            if (b >= 0 && b < 0x20) {
                throw new Broken(at, "no control character inside a string");
            }
            at++;
        }
        throw new Broken(at, "'\"' at the end of the string");
    }

    /** The literal of a number, as it stands there. */
    String number() throws Broken {
        peek();
        int start = at;
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
        // ISO_8859_1: digits only, one byte per character.
        return new String(bytes, start, at - start, StandardCharsets.ISO_8859_1);
    }

    /** Skips any value. */
    void skip() throws Broken {
        switch (peek()) {
            case '{' -> {
                open('{');
                for (boolean first = true; more('}', first); first = false) {
                    key();
                    skip();
                }
            }
            case '[' -> {
                open('[');
                for (boolean first = true; more(']', first); first = false) {
                    skip();
                }
            }
            case '"' -> string();
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

    private String escaped(int start) throws Broken {
        var out = new StringBuilder();
        int run = start;
        while (at < bytes.length) {
            byte b = bytes[at];
            if (b != '"' && b != '\\') {
                if (b >= 0 && b < 0x20) {
                    throw new Broken(at, "no control character inside a string");
                }
                at++;
                continue;
            }
            out.append(new String(bytes, run, at - run, StandardCharsets.UTF_8));
            at++;
            if (b == '"') {
                if (Utf8.loneSurrogate(out) >= 0) {
                    throw new Broken(start, "surrogates only in pairs inside a string");
                }
                return out.toString();
            }
            out.append(escape());
            run = at;
        }
        throw new Broken(at, "'\"' at the end of the string");
    }

    private char escape() throws Broken {
        int sign = byteAt(at++);
        return switch (sign) {
            case '"', '\\', '/' -> (char) sign;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                int value = 0;
                for (int i = 0; i < 4; i++) {
                    int digit = Character.digit(byteAt(at), 16);
                    if (digit < 0) {
                        throw new Broken(at, "four hexadecimal digits");
                    }
                    value = value * 16 + digit;
                    at++;
                }
                yield (char) value;
            }
            default -> throw new Broken(at - 1, "one of \" \\ / b f n r t u after '\\'");
        };
    }

    private int byteAt(int offset) {
        return offset < bytes.length ? bytes[offset] : 0;
    }
}
