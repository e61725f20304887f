package jdiff.runtime.job;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What a prompt may consist of. */
final class PromptText {
    private PromptText() {}

    /** What is wrong with {@code text}, called {@code what} in the answer; null if nothing is. */
    static @Nullable String problem(String what, String text) {
        long bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0) {
                return what + " holds a NUL character at position " + (i + 1) + "; remove it";
            }
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
                bytes += 4;
            } else if (Character.isSurrogate(c)) {
                return String.format(
                        "%s holds half of a surrogate pair, \\u%04x, at position %d; no such character exists",
                        what, (int) c, i + 1);
            } else {
                bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
            }
        }
        if (bytes > PromptSource.MAX_PROMPT_BYTES) {
            return what + " has " + bytes + " bytes, the limit is " + PromptSource.MAX_PROMPT_BYTES + " (64 KiB)";
        }
        return null;
    }

    /** The text of strict UTF-8; null if it is none. */
    static @Nullable String decode(byte[] bytes, int length) {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        CharBuffer out = CharBuffer.allocate(length);
        CoderResult result = decoder.decode(ByteBuffer.wrap(bytes, 0, length), out, true);
        return result.isError() ? null : out.flip().toString();
    }

    /** Offset of the first byte that is not UTF-8. */
    static int badByte(byte[] bytes, int length) {
        ByteBuffer in = ByteBuffer.wrap(bytes, 0, length);
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        decoder.decode(in, CharBuffer.allocate(length), true);
        return in.position();
    }
}
