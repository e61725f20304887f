package jdiff.runtime.job;

import jdiff.runtime.fault.Fault;
import org.jspecify.annotations.Nullable;

/**
 * How a job ended. Rank 0 counts all prompts, another rank its own.
 *
 * @param unfinished prompts that nobody took, because the job was asked to end early
 */
public record JobOutcome(int done, int failed, int unfinished) {
    /** The cause of an exit code other than 0; null if all is done. */
    public @Nullable Fault fault() {
        return unfinished > 0 ? Fault.UNFINISHED : failed > 0 ? Fault.PARTIAL : null;
    }
}
