package jdiff.runtime.tokenizer;

import java.util.Set;
import jdiff.runtime.config.Digests;

/**
 * Regular expressions of tokenizer files that are known to be harmless. The native library matches by backtracking, so an
 * expression of a stranger could take for ever; only those whose SHA-256 stands here are handed to it.
 */
final class KnownPatterns {
    private static final Set<String> DIGESTS = Set.of(
            // Qwen2: contractions, letters with one leading sign, single digits, punctuation, newlines, spaces
            "1ff7f41064896984db5d1bb6ff64fa4bc29007d08c1b439e505b7392777a319e",
            // CLIP: its two special tokens, contractions, letters, single digits, other signs
            "0245a31a25d0f007f4ee8e2a1bf8b02905323f86485c4221c372793f27b86fe5",
            // CLIP's normaliser: a run of white space
            "4add64ab568a8b698353c562ac83993ed693822fe898d8450add1ea623df1ded",
            // T5: two or more spaces
            "dfa66c1644748ec479d682d866becfcd8cbcacae0af58d60f824b6ca88f54547");

    private KnownPatterns() {}

    static boolean isKnown(String pattern) {
        return DIGESTS.contains(digest(pattern));
    }

    static String digest(String pattern) {
        return Digests.sha256(pattern);
    }
}
