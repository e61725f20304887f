package jdiff.launcher.report;

import java.util.List;

/**
 * How a job ended.
 *
 * @param code what the launcher returns
 * @param word cause word; {@code ok} on success
 * @param ranks ranks that were started, by rank
 */
public record JobResult(String jobId, String launchId, int code, String word, int attempts, List<RankResult> ranks) {
    public JobResult {
        ranks = List.copyOf(ranks);
    }
}
