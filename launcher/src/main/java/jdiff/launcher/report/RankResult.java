package jdiff.launcher.report;

import org.jspecify.annotations.Nullable;

/**
 * How one rank ended.
 *
 * @param stopped whether the launcher had asked it to stop before it ended
 * @param order position among all ends, from 0: the monotonic order in which they were observed
 * @param error what it wrote about its failure, or null
 * @param word cause word; {@code ok} for exit code 0
 */
public record RankResult(
        int rank,
        String host,
        long pid,
        ExitStatus exit,
        boolean stopped,
        int order,
        @Nullable ErrorFile error,
        String word) {
    /** 75 and 79 of jdiff's own verbs mean that the rank did what it could. */
    public boolean isFailure(boolean verb) {
        return exit.code() != 0 && !(verb && isPartial());
    }

    public boolean isPartial() {
        return exit.code() == 75 || exit.code() == 79;
    }

    boolean isPeerLost() {
        return word.equals("peer-lost");
    }
}
