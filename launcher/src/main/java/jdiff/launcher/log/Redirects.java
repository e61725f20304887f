package jdiff.launcher.log;

import java.util.ArrayList;
import java.util.List;

/**
 * Which streams of which local ranks, as torchrun's {@code --redirects} and {@code --tee}: one value for all ranks, or
 * {@code rank:value,…} with ranges; 0 none, 1 stdout, 2 stderr, 3 both.
 */
public final class Redirects {
    public static final Redirects NONE = new Redirects(0, List.of());
    public static final Redirects BOTH = new Redirects(3, List.of());

    private final int everyRank;
    private final List<Range> ranges;

    private Redirects(int everyRank, List<Range> ranges) {
        this.everyRank = everyRank;
        this.ranges = ranges;
    }

    private record Range(int first, int last, int streams) {}

    /** Throws IllegalArgumentException with the option's name for anything else. */
    public static Redirects parse(String option, String text) {
        if (text.indexOf(':') < 0) {
            return new Redirects(streams(option, text, text), List.of());
        }
        List<Range> ranges = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            int colon = part.indexOf(':');
            if (colon < 0) {
                throw invalid(option, text, "'" + part + "' has no rank");
            }
            String ranks = part.substring(0, colon);
            int dash = ranks.indexOf('-');
            int first = rank(option, text, dash < 0 ? ranks : ranks.substring(0, dash));
            int last = dash < 0 ? first : rank(option, text, ranks.substring(dash + 1));
            if (last < first) {
                throw invalid(option, text, "the range " + ranks + " runs backwards");
            }
            ranges.add(new Range(first, last, streams(option, text, part.substring(colon + 1))));
        }
        return new Redirects(0, List.copyOf(ranges));
    }

    public boolean isEmpty() {
        return everyRank == 0 && ranges.stream().allMatch(range -> range.streams == 0);
    }

    public boolean stdout(int localRank) {
        return (streams(localRank) & 1) != 0;
    }

    public boolean stderr(int localRank) {
        return (streams(localRank) & 2) != 0;
    }

    /** The last entry that names a rank counts. */
    private int streams(int localRank) {
        int streams = everyRank;
        for (Range range : ranges) {
            if (range.first <= localRank && localRank <= range.last) {
                streams = range.streams;
            }
        }
        return streams;
    }

    private static int streams(String option, String text, String digit) {
        return switch (digit.strip()) {
            case "0" -> 0;
            case "1" -> 1;
            case "2" -> 2;
            case "3" -> 3;
            default ->
                throw invalid(option, text, "'" + digit + "' is not 0 (none), 1 (stdout), 2 (stderr) or 3 (both)");
        };
    }

    private static int rank(String option, String text, String digits) {
        try {
            int rank = Integer.parseInt(digits.strip());
            if (rank >= 0) {
                return rank;
            }
        } catch (NumberFormatException e) {
            // The message below says all there is to say.
        }
        throw invalid(option, text, "'" + digits + "' is not a local rank");
    }

    private static IllegalArgumentException invalid(String option, String text, String problem) {
        return new IllegalArgumentException(option + " '" + text + "': " + problem
                + "; give one value for all ranks or rank:value,… as in 0-3:1,10:3");
    }
}
