package jdiff.launcher.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import jdiff.launcher.Cause;

/**
 * The report of a failed job, for people: who failed first and why, what it last wrote, who was stopped because of it, where to
 * look.
 *
 * @param root the rank whose failure counts
 * @param all every rank that was started
 * @param tail last lines of the root's stderr
 * @param paths log directories and crash files worth naming
 */
public record WorkerFailure(RankResult root, List<RankResult> all, List<String> tail, List<String> paths) {
    /** Lines of the report, each safe to print. */
    public List<String> lines(Texts texts, boolean verbose) {
        List<String> lines = new ArrayList<>();
        ErrorFile error = root.error();
        if (error != null && error.isForUser()) {
            lines.add("jdiff: " + paragraph(error.text(), texts));
            lines.add("jdiff: " + where() + " (" + root.word() + ", "
                    + root.exit().describe() + ")" + prompt(texts));
        } else {
            String message = error == null ? "" : ": " + paragraph(error.message(), texts);
            lines.add("jdiff: " + where() + " (" + root.word() + ", "
                    + root.exit().describe() + ")" + prompt(texts) + message);
        }
        if (verbose && error != null && !error.stack().isEmpty()) {
            error.stack().lines().forEach(line -> lines.add("  " + texts.line(line)));
        } else if (error == null || !error.isForUser()) {
            addTail(lines, texts);
        }
        if (root.word().equals(Cause.JAVA_OOM.word())) {
            lines.add("jdiff: the Java heap was too small; give the workers more: --java-opts -Xmx2g");
        }
        addOthers(lines);
        paths.forEach(path -> lines.add("jdiff: see " + texts.line(path)));
        return lines;
    }

    /** {@code rank 1 failed on host a, pid 12}, or several ranks that failed alike. */
    private String where() {
        List<Integer> alike = all.stream()
                .filter(this::isSameFailure)
                .map(RankResult::rank)
                .sorted()
                .toList();
        return ranks(alike) + " failed on " + root.host() + (alike.size() > 1 ? "" : ", pid " + root.pid());
    }

    private boolean isSameFailure(RankResult other) {
        return isRoot(other)
                || (!other.stopped()
                        && other.exit().equals(root.exit())
                        && other.error() != null
                        && root.error() != null
                        && Objects.equals(other.error().message(), root.error().message()));
    }

    private boolean isRoot(RankResult result) {
        return result.rank() == root.rank();
    }

    private String prompt(Texts texts) {
        String prompt = root.error() == null ? "" : root.error().prompt();
        return prompt.isEmpty() ? "" : ", prompt " + texts.line(prompt);
    }

    private void addTail(List<String> lines, Texts texts) {
        List<String> last = tail.stream().filter(line -> !line.isBlank()).toList();
        if (!last.isEmpty()) {
            lines.add("jdiff: last lines of its stderr:");
            last.forEach(line -> lines.add("  " + texts.line(line)));
        }
    }

    private void addOthers(List<String> lines) {
        List<Integer> collateral = all.stream()
                .filter(result -> result.stopped() || (result.isPeerLost() && !isRoot(result)))
                .map(RankResult::rank)
                .sorted()
                .toList();
        if (!collateral.isEmpty()) {
            lines.add("jdiff: " + ranks(collateral) + (collateral.size() == 1 ? " was" : " were")
                    + " stopped because of it (collateral)");
        }
        Map<String, List<Integer>> also = new TreeMap<>();
        all.stream()
                .filter(result -> !isRoot(result)
                        && !result.stopped()
                        && !result.isPeerLost()
                        && result.exit().code() != 0)
                .filter(result -> !isSameFailure(result))
                .forEach(result -> also.computeIfAbsent(
                                result.word() + ", " + result.exit().describe(), key -> new ArrayList<>())
                        .add(result.rank()));
        also.forEach((how, ranks) -> {
            ranks.sort(null);
            lines.add("jdiff: " + ranks(ranks) + " also failed (" + how + ")");
        });
    }

    /** One paragraph: lines of the message are joined. */
    private static String paragraph(String message, Texts texts) {
        List<String> parts = message.strip()
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
        return texts.line(String.join(" ", parts));
    }

    /** {@code rank 7}, {@code ranks 0-3, 5}. */
    public static String ranks(List<Integer> ranks) {
        return (ranks.size() == 1 ? "rank " : "ranks ") + list(ranks);
    }

    static String list(List<Integer> ranks) {
        var text = new StringBuilder();
        int i = 0;
        while (i < ranks.size()) {
            int end = i;
            while (end + 1 < ranks.size() && ranks.get(end + 1) == ranks.get(end) + 1) {
                end++;
            }
            text.append(text.isEmpty() ? "" : ", ").append(ranks.get(i));
            if (end > i) {
                text.append(end == i + 1 ? ", " : "-").append(ranks.get(end));
            }
            i = end + 1;
        }
        return text.toString();
    }
}
