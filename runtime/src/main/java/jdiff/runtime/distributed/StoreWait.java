package jdiff.runtime.distributed;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import jdiff.runtime.fault.Fault;

/**
 * Waits for a key by asking again, quickly at first and then every few dozen milliseconds. A blocking wait of libtorch's client
 * would hold the connection's lock, so that no other thread of this rank could use the store meanwhile, and would write C++
 * warnings to stderr when its time is over.
 */
final class StoreWait {
    private static final long FIRST_NANOS = 200_000;
    private static final long LONGEST_NANOS = 50_000_000;

    private StoreWait() {}

    static void until(BooleanSupplier done, Duration timeout, String key) {
        long deadline = System.nanoTime() + timeout.toNanos();
        long pause = FIRST_NANOS;
        while (!done.getAsBoolean()) {
            if (Thread.currentThread().isInterrupted()) {
                throw new DistributedException(Fault.ERROR, "interrupted while waiting for store key " + key);
            }
            if (System.nanoTime() - deadline >= 0) {
                throw new DistributedException(
                        Fault.HANG, "store key " + key + " did not appear within " + timeout.toMillis() + " ms");
            }
            LockSupport.parkNanos(pause);
            pause = Math.min(2 * pause, LONGEST_NANOS);
        }
    }
}
