package jdiff.launcher.log;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Copies the output of all workers of an attempt to console and files in whole lines, never two ranks in one line. */
public final class LogMux {
    private static final int CHUNK = 16 << 10;
    private static final int STACK = 128 << 10;

    private final LogRules rules;
    private final ConsoleErr err;
    private final ConsoleOut out;
    private final Map<Integer, RankLog> logs = new HashMap<>();
    private final List<Thread> pumps = new ArrayList<>();

    public LogMux(LogRules rules, ConsoleOut out, ConsoleErr err) {
        this.rules = rules;
        this.out = out;
        this.err = err;
    }

    /**
     * Starts copying the streams of a worker until they end.
     *
     * @param directory where its log files go; null if none
     */
    public void attach(int rank, int localRank, InputStream stdout, InputStream stderr, @Nullable Path directory) {
        var log = new RankLog(rank, localRank, rules, out, err, directory);
        logs.put(rank, log);
        pump("stdout " + rank, stdout, log.stdout());
        pump("stderr " + rank, stderr, log.stderr());
    }

    /** The last lines of a rank's stderr, shown or not. */
    public List<String> lastLines(int rank) {
        RankLog log = logs.get(rank);
        return log == null ? List.of() : log.lastLines();
    }

    /** Waits until all streams have ended, or the time is over; processes that left the group may keep a pipe open. */
    public void drain(long timeoutMillis) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        for (Thread pump : pumps) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left > 0) {
                pump.join(left);
            }
        }
    }

    private void pump(String name, InputStream in, RankLog.Stream stream) {
        var thread = new Thread(null, () -> copy(in, stream), name, STACK);
        thread.setDaemon(true);
        pumps.add(thread);
        thread.start();
    }

    private static void copy(InputStream in, RankLog.Stream stream) {
        byte[] chunk = new byte[CHUNK];
        try (in) {
            int count = in.read(chunk);
            while (count >= 0) {
                stream.feed(chunk, count);
                count = in.read(chunk);
            }
        } catch (IOException e) {
            // The worker is gone; what it wrote before has been copied.
        } finally {
            stream.end();
        }
    }
}
