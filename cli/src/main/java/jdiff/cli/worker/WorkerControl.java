package jdiff.cli.worker;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import jdiff.launcher.Cause;
import jdiff.launcher.Names;

/** What the launcher says to this worker: {@code drain}, {@code abort}, or nothing any more, because it is gone. */
public final class WorkerControl {
    private static volatile boolean draining;

    private WorkerControl() {}

    /** Whether no more work shall be taken. */
    public static boolean isDraining() {
        return draining;
    }

    static void listen(InputStream in) {
        var thread = new Thread(null, () -> read(in), "control", 128 << 10);
        thread.setDaemon(true);
        thread.start();
    }

    private static void read(InputStream in) {
        try (var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII), 256)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                switch (line) {
                    case Names.DRAIN -> draining = true;
                    case Names.ABORT -> leave();
                    default -> {} // a newer launcher may say more
                }
            }
        } catch (IOException e) {
            // An unreadable pipe means what its end means.
        }
        leave();
    }

    /** {@code halt}, not {@code exit}: shutdown hooks could wait for peers that are gone. */
    private static void leave() {
        Runtime.getRuntime().halt(Cause.PEER_LOST.exitCode());
    }
}
