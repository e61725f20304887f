package jdiff.runtime.distributed;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.logging.log4j.LogManager;

/** The end of a store that lives inside rank 0: it stays until the others have said goodbye, but not for ever. */
final class HostedStore {
    private static final String LEFT = "left";
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private HostedStore() {}

    static void leave(Store store, WorkerEnvironment environment) {
        try {
            long left = store.add(LEFT, 1);
            if (environment.rank() == 0 && left < environment.worldSize()) {
                StoreWait.until(() -> count(store) >= environment.worldSize(), PATIENCE, LEFT);
            }
        } catch (DistributedException e) {
            // The others are gone or have failed: nobody is left who would need the store.
            LogManager.getLogger().debug("left without the others: {}", e.getMessage());
        }
    }

    private static long count(Store store) {
        byte[] value = store.get(LEFT, PATIENCE);
        return Long.parseLong(new String(value, StandardCharsets.US_ASCII));
    }
}
