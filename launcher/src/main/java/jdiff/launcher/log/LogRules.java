package jdiff.launcher.log;

import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How a job's output is shown.
 *
 * @param shown local ranks that appear on the console; null: all
 * @param showGloo whether Gloo's own chatter is shown
 * @param nanos monotonic clock, for the rate of progress lines
 */
public record LogRules(
        int worldSize,
        String role,
        Redirects redirects,
        Redirects tee,
        boolean filesForAll,
        @Nullable Set<Integer> shown,
        boolean showGloo,
        Map<String, String> environment,
        LongSupplier nanos) {}
