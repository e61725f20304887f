package jdiff.runtime.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The names that a wrong one was probably meant to be. */
public final class Nearest {
    /** Names compared for likeness; enough for every model, and bounded for hostile files. */
    private static final int MAX_CANDIDATES = 20_000;

    private static final int MAX_LENGTH = 1000;
    private static final int MAX_SHOWN = 200;

    private Nearest() {}

    /** Of the first twenty thousand candidates those with the fewest differing letters, at most {@code count}, nearest first. */
    public static List<String> of(String name, Collection<String> candidates, int count) {
        List<String> best = new ArrayList<>();
        List<Integer> distances = new ArrayList<>();
        int seen = 0;
        for (String candidate : candidates) {
            if (++seen > MAX_CANDIDATES) {
                break;
            }
            int limit = distances.size() < count ? Integer.MAX_VALUE : distances.get(count - 1);
            if (candidate.length() > MAX_LENGTH) {
                continue;
            }
            int distance = EditDistance.of(name, candidate, limit);
            if (distance == limit) {
                continue;
            }
            int at = 0;
            while (at < distances.size() && distances.get(at) <= distance) {
                at++;
            }
            best.add(at, Shown.cut(candidate, MAX_SHOWN));
            distances.add(at, distance);
            if (best.size() > count) {
                best.remove(count);
                distances.remove(count);
            }
        }
        return best;
    }
}
