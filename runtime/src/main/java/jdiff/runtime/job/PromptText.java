package jdiff.runtime.job;

import java.nio.charset.StandardCharsets;
import jdiff.runtime.config.Utf8;
import org.jspecify.annotations.Nullable;

/** What a prompt may consist of. */
final class PromptText {
    private PromptText() {}

    /** What is wrong with {@code text}, called {@code what} in the answer; null if nothing is. */
    static @Nullable String problem(String what, String text) {
        int nul = text.indexOf(0);
        if (nul >= 0) {
            return what + " holds a NUL character at position " + (nul + 1) + "; remove it";
        }
        int lone = Utf8.loneSurrogate(text);
        if (lone >= 0) {
            return String.format(
                    "%s holds half of a surrogate pair, \\u%04x, at position %d; no such character exists",
                    what, (int) text.charAt(lone), lone + 1);
        }
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > PromptSource.MAX_PROMPT_BYTES) {
            return what + " has " + bytes + " bytes, the limit is " + PromptSource.MAX_PROMPT_BYTES + " (64 KiB)";
        }
        return null;
    }
}
