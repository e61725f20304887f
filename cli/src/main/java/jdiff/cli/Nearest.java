package jdiff.cli;

import java.util.List;

/** The name that a mistyped one was probably meant to be. */
public final class Nearest {
    private static final int SHORTEST_START = 4;
    private static final int LETTERS_PER_MISTAKE = 4;

    private Nearest() {}

    /**
     * The candidate with the fewest differing letters, else the first that begins with what was typed; empty if none is near. The
     * longer the word, the more mistakes it may have.
     */
    public static String of(String typed, List<String> candidates) {
        String best = "";
        int far = 2 + typed.length() / LETTERS_PER_MISTAKE;
        int bestDistance = far;
        for (String candidate : candidates) {
            int distance = distance(typed, candidate);
            boolean begins = candidate.startsWith(typed) && typed.length() >= SHORTEST_START;
            if (distance < bestDistance || (bestDistance == far && begins)) {
                best = candidate;
                bestDistance = Math.min(distance, far - 1);
            }
        }
        return best;
    }

    /** Levenshtein distance. */
    static int distance(String a, String b) {
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] current = new int[b.length() + 1];
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(change, Math.min(previous[j], current[j - 1]) + 1);
            }
            previous = current;
        }
        return previous[b.length()];
    }
}
