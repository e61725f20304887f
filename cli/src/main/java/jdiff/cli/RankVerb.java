package jdiff.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * A verb that can run on ranks: a picocli command whose object implements this interface. Under {@code launch} its options are
 * parsed and checked in the launcher before anything starts; {@link #call} runs in each worker only.
 */
public interface RankVerb extends Callable<Integer> {
    /**
     * Checks what can be checked without libtorch: values, files that must exist. Called after parsing, in the launcher. Throws
     * IllegalArgumentException for bad values (exit 2), {@link jdiff.runtime.fault.FaultException} for the outside world.
     */
    default void check() throws IOException {}

    /** Words to put after the user's for the workers, once {@link #check} has passed: what only the launcher can know. */
    default List<String> workerWords() {
        return List.of();
    }

    /** Runs the verb on this rank; returns its exit code. */
    @Override
    Integer call() throws Exception;
}
