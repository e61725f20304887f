package jdiff.cli.generate;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import jdiff.launcher.host.Terminal;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import me.tongfei.progressbar.ProgressState;

/**
 * One line on stderr that says how far the job is: on a terminal a bar that is drawn anew four times a second, elsewhere a line
 * every five seconds. No colours, no escape sequences: the line is overwritten from its start.
 */
final class Progress implements AutoCloseable {
    private static final int TERMINAL_MILLIS = 250;
    private static final int PLAIN_MILLIS = 5000;
    private static final int BAR_WIDTH = 24;
    private static final int BAR_MIN_WIDTH = 8;
    /** Room for per cent, brackets and the words of a job of some hundred pictures. */
    private static final int WORDS_WIDTH = 56;

    /** What a launcher puts before a worker's line. */
    private static final int PREFIX_WIDTH = 12;

    private static final double NANOS = 1e9;
    private static final double GIGA = 1e9;

    private final PrintWriter err;
    private final int columns;
    private final ProgressBar bar;
    private int shown;
    private boolean closed;
    private final PrintStream systemErr;
    private final long created = System.nanoTime();
    private boolean loading = true;
    private long loadedBytes;
    private long bytesToLoad;
    private long started = created;
    private long totalSteps;
    private long totalPictures;
    private long pictures;

    /**
     * Starts to show a job. While it does, what others print on System.err first clears the bar.
     *
     * @param columns width of the terminal; 0 if there is none
     */
    Progress(PrintWriter err, int columns) {
        this.err = err;
        this.columns = columns;
        this.systemErr = System.err;
        if (columns > 0) {
            System.setErr(new PrintStream(new Clearing(systemErr), true, StandardCharsets.UTF_8));
        }
        this.bar = new ProgressBarBuilder()
                .setInitialMax(0)
                .setUpdateIntervalMillis(columns > 0 ? TERMINAL_MILLIS : PLAIN_MILLIS)
                .continuousUpdate() // loading tells bytes, not steps
                .setRenderer((state, length) -> line(state))
                .setConsumer(new Line())
                .build();
    }

    /** Width of the terminal on stderr, as the launcher said or as found; 0 if there is none or it is a dumb one. */
    static int columns(Map<String, String> environment) {
        String console = environment.getOrDefault("JDIFF_CONSOLE", "");
        boolean dumb = environment.getOrDefault("TERM", "").equals("dumb");
        String description = console.isEmpty() ? Terminal.describe(environment) : console;
        if (dumb || !description.startsWith("tty:")) {
            return 0;
        }
        try {
            return Math.max(1, Integer.parseInt(description.substring("tty:".length())));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** So many bytes of the model are in memory. */
    synchronized void loading(long done, long total) {
        loadedBytes = done;
        bytesToLoad = total;
    }

    /** The model is loaded; from now on pictures are made. */
    synchronized void start(long steps, long numPictures) {
        if (loadedBytes > 0 && columns > 0) {
            show(loadLine((System.nanoTime() - started) / NANOS, loadedBytes, bytesToLoad, columns));
        }
        loading = false;
        started = System.nanoTime();
        totalSteps = steps;
        totalPictures = numPictures;
        bar.maxHint(steps);
    }

    synchronized void update(long steps, long numPictures) {
        pictures = numPictures;
        bar.stepTo(Math.min(steps, Math.max(totalSteps, 0)));
    }

    /** Makes room for another line on the same terminal; the bar comes back by itself. */
    synchronized void clear() {
        if (columns > 0 && shown > 0) {
            err.print(" ".repeat(shown) + "\r");
            err.flush();
            shown = 0;
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            clear();
            closed = true;
        }
        bar.close();
        System.setErr(systemErr);
    }

    private synchronized String line(ProgressState state) {
        double seconds = (System.nanoTime() - started) / NANOS;
        if (loading) {
            return loadLine(seconds, loadedBytes, bytesToLoad, columns);
        }
        return line(seconds, state.getCurrent(), totalSteps, totalPictures, pictures, columns);
    }

    /** The line after so many seconds of loading. */
    static String loadLine(double seconds, long done, long total, int columns) {
        if (done == 0) {
            return "loading the model, " + clock(seconds);
        }
        double share = (double) done / Math.max(done, total);
        return String.format(Locale.ROOT, "%3d%% ", (int) (100 * share))
                + bar(share, columns)
                + String.format(
                        Locale.ROOT,
                        "loading the model, %.1f of %.1f GB, %.1f GB/s",
                        done / GIGA,
                        total / GIGA,
                        done / GIGA / Math.max(seconds, 1 / GIGA));
    }

    /** The line after so many seconds of making pictures. */
    static String line(double seconds, long steps, long totalSteps, long totalPictures, long pictures, int columns) {
        double share = totalSteps == 0 ? 0 : (double) steps / totalSteps;
        // The last picture is decoded and written after its last step.
        int percent = pictures < totalPictures ? Math.min(99, (int) (100 * share)) : (int) (100 * share);
        StringBuilder text = new StringBuilder();
        text.append(pictures).append('/').append(totalPictures).append(" pictures");
        if (share > 0 && totalPictures > 0) {
            text.append(String.format(Locale.ROOT, ", %.1f s per picture", seconds / (share * totalPictures)));
            text.append(", ").append(clock(seconds / share * (1 - share))).append(" left");
        }
        return String.format(Locale.ROOT, "%3d%% ", percent) + bar(share, columns) + text;
    }

    /** By the terminal's width alone, so that the bar does not change its length when the words do; empty if too narrow. */
    private static String bar(double share, int columns) {
        int width = Math.min(BAR_WIDTH, columns - PREFIX_WIDTH - WORDS_WIDTH);
        if (width < BAR_MIN_WIDTH) {
            return "";
        }
        int full = (int) (width * share);
        return "[" + "#".repeat(full) + "-".repeat(width - full) + "] ";
    }

    private static String clock(double seconds) {
        long whole = Math.round(seconds);
        return whole < 3600
                ? String.format(Locale.ROOT, "%d:%02d", whole / 60, whole % 60)
                : String.format(Locale.ROOT, "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60);
    }

    private synchronized void show(String text) {
        if (closed) {
            return;
        }
        if (columns == 0) {
            // The first tick comes at once, when there is nothing to tell: short jobs stay quiet.
            if (System.nanoTime() - created > PLAIN_MILLIS * 500_000L) {
                err.println(text);
            }
            return;
        }
        String cut = text.substring(0, Math.min(text.length(), Math.max(1, columns - PREFIX_WIDTH)));
        err.print(cut + " ".repeat(Math.max(0, shown - cut.length())) + "\r");
        err.flush();
        shown = cut.length();
    }

    /** Where the library's timer sends the line. */
    private final class Line implements ProgressBarConsumer {
        @Override
        public int getMaxRenderedLength() {
            return Integer.MAX_VALUE;
        }

        @Override
        public void accept(String text) {
            show(text);
        }

        @Override
        public void close() {}
    }

    /** Clears the bar before anything else is printed on the same terminal. */
    private final class Clearing extends FilterOutputStream {
        Clearing(OutputStream out) {
            super(out);
        }

        @Override
        public void write(int b) throws IOException {
            clear();
            out.write(b);
        }

        @Override
        public void write(byte[] bytes, int offset, int count) throws IOException {
            clear();
            out.write(bytes, offset, count);
        }
    }
}
