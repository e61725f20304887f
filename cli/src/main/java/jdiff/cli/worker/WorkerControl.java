package jdiff.cli.worker;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import jdiff.launcher.Cause;
import jdiff.launcher.Names;
import org.jspecify.annotations.Nullable;

/** What the launcher says to this worker: {@code drain}, {@code abort}, or nothing any more, because it is gone. */
public final class WorkerControl {
    private static final long DEADLINE_MILLIS = 900;

    private static volatile @Nullable Runnable onDrain;
    private static volatile @Nullable Runnable onAbort;
    private static volatile boolean draining;

    private WorkerControl() {}

    /** Whether no more work shall be taken. */
    public static boolean isDraining() {
        return draining;
    }

    /** Called once when draining is asked for; at once if it has been already. */
    public static void onDrain(Runnable action) {
        onDrain = action;
        if (draining) {
            action.run();
        }
    }

    /** Called before the process is halted, on {@code abort} or when the launcher is gone; has less than a second, no collectives. */
    public static void onAbort(Runnable action) {
        onAbort = action;
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
                    case Names.DRAIN -> drain();
                    case Names.ABORT -> leave();
                    default -> {} // a newer launcher may say more
                }
            }
        } catch (IOException e) {
            // An unreadable pipe means what its end means.
        }
        leave();
    }

    private static void drain() {
        draining = true;
        run(onDrain);
    }

    private static void run(@Nullable Runnable action) {
        if (action != null) {
            action.run();
        }
    }

    /** {@code halt}, not {@code exit}: shutdown hooks could wait for peers that are gone. */
    private static void leave() {
        var deadline = new Thread(
                () -> {
                    try {
                        Thread.sleep(DEADLINE_MILLIS);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    Runtime.getRuntime().halt(Cause.PEER_LOST.exitCode());
                },
                "leave");
        deadline.setDaemon(true);
        deadline.start();
        try {
            run(onAbort);
        } finally {
            Runtime.getRuntime().halt(Cause.PEER_LOST.exitCode());
        }
    }
}
