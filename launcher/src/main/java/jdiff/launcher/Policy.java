package jdiff.launcher;

import java.time.Duration;
import java.util.List;

/**
 * How the job is watched and stopped.
 *
 * @param grace time between asking a worker to stop and SIGKILL, on every path
 * @param monitorInterval period of the health check; exits are noticed by events, whatever its value
 * @param signals names of the signals that are handled, without SIG
 * @param flatExitCode 0, 1 or 2 as torchrun instead of the cause's code
 */
public record Policy(
        Duration grace, Duration monitorInterval, List<String> signals, int maxRestarts, boolean flatExitCode) {
    public Policy {
        signals = List.copyOf(signals);
        if (grace.isNegative()) {
            throw new IllegalArgumentException("--shutdown-timeout must not be negative, found " + grace);
        }
        if (monitorInterval.isNegative() || monitorInterval.isZero()) {
            throw new IllegalArgumentException("--monitor-interval must be positive, found " + monitorInterval);
        }
        if (maxRestarts != 0) {
            throw new IllegalArgumentException("--max-restarts " + maxRestarts
                    + " is not supported yet: only 0; rerun the command after a failure");
        }
    }

    /** Seconds with a fraction only where there is one: {@code 25}, {@code 0.5}. */
    static String seconds(Duration time) {
        long millis = time.toMillis();
        return millis % 1000 == 0 ? Long.toString(millis / 1000) : Double.toString(millis / 1000.0);
    }
}
