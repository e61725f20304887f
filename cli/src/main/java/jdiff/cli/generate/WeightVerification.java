package jdiff.cli.generate;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.loading.LoadMeter;
import jdiff.runtime.weights.FileDigests;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/** Compares weight files with their names in the hub cache while pictures are made, so that it costs no waiting. */
final class WeightVerification {
    private static final Logger LOG = LogManager.getLogger();

    private @Nullable CompletableFuture<List<FileDigests.Result>> results;
    private volatile boolean failed;

    /** Begins. */
    void start(List<Path> files) {
        CompletableFuture<List<FileDigests.Result>> future = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        List<FileDigests.Result> all = FileDigests.verify(files, 1, new LoadMeter());
                        failed = all.stream().anyMatch(result -> result.fault() != null);
                        future.complete(all);
                    } catch (RuntimeException | Error e) {
                        future.completeExceptionally(e);
                    }
                },
                "verify-weights");
        thread.setDaemon(true);
        thread.start();
        results = future;
    }

    /** Whether all files have been read and one is damaged: no further picture should be made from it. */
    boolean hasFailed() {
        return failed;
    }

    /**
     * Waits for the rest and says what each file is.
     *
     * @param said takes a line per file that is not damaged
     * @throws FaultException of the first file that is damaged or cannot be read
     */
    void finish(Consumer<String> said) throws FaultException {
        if (results == null) {
            return;
        }
        FaultException first = null;
        for (FileDigests.Result result : results.join()) {
            if (result.fault() == null) {
                boolean known = result.state() != FileDigests.State.NOT_VERIFIABLE;
                said.accept(result.file() + ": " + result.state().word() + (known ? "" : " (not in a hub cache)"));
            } else if (first == null) {
                first = result.fault();
            } else {
                LOG.error("{}", result.fault().getMessage());
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
