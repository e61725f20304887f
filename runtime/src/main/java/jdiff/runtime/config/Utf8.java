package jdiff.runtime.config;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Strict UTF-8: what {@code new String(bytes, UTF_8)} would replace is found and has a place. */
public final class Utf8 {
    private static final int CHUNK = 8192;

    private Utf8() {}

    /** The text of the first {@code length} bytes; null if they are not UTF-8 ({@link #badByte} says where). */
    public static @Nullable String decode(byte[] bytes, int length) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, 0, length))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /** Offset of the first byte that is not UTF-8, -1 if all are. Takes no memory for the text. */
    public static int badByte(byte[] bytes, int length) {
        ByteBuffer in = ByteBuffer.wrap(bytes, 0, length);
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        CharBuffer out = CharBuffer.allocate(CHUNK);
        CoderResult result = CoderResult.OVERFLOW;
        while (result.isOverflow()) {
            result = decoder.decode(in, out.clear(), true);
        }
        return result.isError() ? in.position() : -1;
    }

    /** Index of the first half of a surrogate pair that stands alone, so that the text has no UTF-8; -1 if none does. */
    public static int loneSurrogate(CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                return i;
            }
        }
        return -1;
    }
}
