package jdiff.launcher.report;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Which failure counts: of the ranks that were not stopped by the launcher and did not just lose a peer, the first observed. */
public final class RootCause {
    private RootCause() {}

    public static Optional<RankResult> of(List<RankResult> results, boolean verb) {
        List<RankResult> failures = results.stream()
                .filter(result -> result.isFailure(verb) && !result.stopped())
                .sorted(Comparator.comparingInt(RankResult::order))
                .toList();
        Optional<RankResult> own =
                failures.stream().filter(result -> !result.isPeerLost()).findFirst();
        return own.isPresent() ? own : failures.stream().findFirst();
    }

    /** Exit code of a job without failures: 75 before 79 before 0. */
    public static int codeOfSuccess(List<RankResult> results) {
        boolean unfinished = results.stream().anyMatch(result -> result.exit().code() == 75);
        boolean partial = results.stream().anyMatch(result -> result.exit().code() == 79);
        return unfinished ? 75 : partial ? 79 : 0;
    }
}
