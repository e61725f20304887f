package jdiff.launcher.store;

import java.time.Duration;

/** What one connection, and all of them, may cost the launcher. */
record StoreLimits(int keyBytes, int valueBytes, int keyCount, int connections, long totalBytes, Duration handshake) {
    static StoreLimits forWorld(int worldSize) {
        long half = Runtime.getRuntime().maxMemory() / 2;
        return new StoreLimits(4 << 10, 8 << 20, 128 << 10, 4 * worldSize + 64, half, Duration.ofSeconds(5));
    }
}
