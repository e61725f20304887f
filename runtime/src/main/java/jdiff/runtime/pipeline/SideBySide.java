package jdiff.runtime.pipeline;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;

/**
 * Steps of a plan that do not depend on each other, each on a daemon thread: a process that has just started gains most, for all
 * its code runs for the first time. Results are taken in the order of the program, so that of several faults the same one is told
 * every time.
 */
final class SideBySide implements AutoCloseable {
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "plan");
        thread.setDaemon(true);
        return thread;
    });

    /** A step. */
    @FunctionalInterface
    interface Step<T> {
        T run() throws FaultException;
    }

    /** What a step gives when it is done. */
    @FunctionalInterface
    interface Result<T> {
        /** Waits for it; throws what the step threw. */
        T take() throws FaultException;
    }

    /** Begins a step. */
    <T> Result<T> begin(Step<T> step) {
        Future<T> future = threads.submit(step::run);
        return () -> {
            try {
                return future.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new FaultException(Fault.IO, "planning was interrupted");
            } catch (ExecutionException e) {
                if (e.getCause() instanceof FaultException fault) {
                    throw fault;
                }
                if (e.getCause() instanceof RuntimeException wrong) {
                    throw wrong;
                }
                throw new IllegalStateException("planning failed: " + e.getCause(), e.getCause());
            }
        };
    }

    /** Waits for no step: what is still under way ends by itself. */
    @Override
    public void close() {
        threads.shutdown();
    }
}
