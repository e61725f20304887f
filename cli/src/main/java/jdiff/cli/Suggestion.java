package jdiff.cli;

import java.util.List;
import jdiff.runtime.config.EditDistance;

/** The name that a mistyped one was probably meant to be. */
public final class Suggestion {
    private static final int SHORTEST_START = 4;
    private static final int LETTERS_PER_MISTAKE = 4;

    private Suggestion() {}

    /**
     * The candidate with the fewest differing letters, else the first that begins with what was typed; empty if none is near. The
     * longer the word, the more mistakes it may have.
     */
    public static String of(String typed, List<String> candidates) {
        String best = "";
        int far = 2 + typed.length() / LETTERS_PER_MISTAKE;
        int bestDistance = far;
        for (String candidate : candidates) {
            int distance = EditDistance.of(typed, candidate, far);
            boolean begins = candidate.startsWith(typed) && typed.length() >= SHORTEST_START;
            if (distance < bestDistance || (bestDistance == far && begins)) {
                best = candidate;
                bestDistance = Math.min(distance, far - 1);
            }
        }
        return best;
    }
}
