package jdiff.runtime.distributed;

import java.util.List;

/**
 * Contiguous parts of n items, in order, that differ by at most one: with q, m = divmod(n, parts), part k has q + 1 items if
 * k &lt; m, else q. The rule of {@code torch.tensor_split} and, for prompts, of Accelerate's {@code split_between_processes}
 * without padding: parts may be empty, nothing is repeated.
 */
public final class Split {
    private Split() {}

    /** Items of part k. */
    public static long length(long n, int parts, int k) {
        check(n, parts, k);
        return n / parts + (k < n % parts ? 1 : 0);
    }

    /** First item of part k; for k = parts the end of the last one. */
    public static long start(long n, int parts, int k) {
        check(n, parts, k == parts ? 0 : k);
        return k * (n / parts) + Math.min(k, n % parts);
    }

    /** Part k of a list, as a copy that nobody can change. */
    public static <T> List<T> part(List<T> items, int parts, int k) {
        int from = (int) start(items.size(), parts, k);
        return List.copyOf(items.subList(from, from + (int) length(items.size(), parts, k)));
    }

    private static void check(long n, int parts, int k) {
        if (n < 0 || parts < 1 || k < 0 || k >= parts) {
            throw new IllegalArgumentException("no part " + k + " of " + n + " items in " + parts + " parts");
        }
    }
}
