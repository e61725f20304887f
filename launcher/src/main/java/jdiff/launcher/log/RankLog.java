package jdiff.launcher.log;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The two streams of one worker and where their lines go. */
final class RankLog {
    private static final byte[] GLOO = {'[', 'G', 'l', 'o', 'o', ']'};
    private static final long TRANSIENT_NANOS = 1_000_000_000L;

    private final int rank;
    private final LogRules rules;
    private final ConsoleOut out;
    private final ConsoleErr err;
    private final Prefix prefix;
    private final boolean outOnConsole;
    private final boolean errOnConsole;
    private final @Nullable LogFile outFile;
    private final @Nullable LogFile errFile;
    private final Tail tail = new Tail();
    private long lastTransient = Long.MIN_VALUE;
    private boolean statusShown;

    /** @param directory where log files of this rank go; null if none may be written */
    RankLog(int rank, int localRank, LogRules rules, ConsoleOut out, ConsoleErr err, @Nullable Path directory) {
        this.rank = rank;
        this.rules = rules;
        this.out = out;
        this.err = err;
        boolean teeOut = rules.tee().stdout(localRank);
        boolean teeErr = rules.tee().stderr(localRank);
        boolean visible = rules.shown() == null || rules.shown().contains(localRank);
        this.prefix = Prefix.of(rules, rank, localRank, teeOut, teeErr);
        boolean outToFile = rules.redirects().stdout(localRank);
        boolean errToFile = rules.redirects().stderr(localRank);
        this.outOnConsole = visible && (teeOut || !outToFile);
        this.errOnConsole = visible && (teeErr || !errToFile);
        this.outFile = file(directory, "stdout.log", teeOut || outToFile || rules.filesForAll());
        this.errFile = file(directory, "stderr.log", teeErr || errToFile || rules.filesForAll());
    }

    private static @Nullable LogFile file(@Nullable Path directory, String name, boolean wanted) {
        return directory == null || !wanted ? null : new LogFile(directory.resolve(name));
    }

    Stream stdout() {
        return new Stream(outFile, new LineSplitter.Lines() {
            @Override
            public void line(byte[] line) {
                if (outOnConsole && (rules.showGloo() || !isGloo(line))) {
                    out.write(prefixed(prefix.stdout(), line, '\n'));
                }
            }

            @Override
            public void transientLine(byte[] line) {
                if (outOnConsole) {
                    out.write(prefixed(prefix.stdout(), line, '\r'));
                }
            }
        });
    }

    Stream stderr() {
        return new Stream(errFile, new LineSplitter.Lines() {
            @Override
            public void line(byte[] line) {
                if (!isGloo(line)) {
                    tail.add(line);
                }
                if (errOnConsole && (rules.showGloo() || !isGloo(line))) {
                    endStatus();
                    err.print(rank, prefixed(prefix.stderr(), line, '\n'));
                }
            }

            @Override
            public void transientLine(byte[] line) {
                if (errOnConsole && LineSplitter.isBlank(line)) {
                    endStatus();
                } else if (errOnConsole) {
                    showTransient(line);
                }
            }
        });
    }

    /** A terminal shows each one in place; elsewhere one per second becomes a line. */
    private void showTransient(byte[] line) {
        if (err.isTerminal()) {
            statusShown = true;
            err.status(line);
            return;
        }
        long now = rules.nanos().getAsLong();
        if (lastTransient == Long.MIN_VALUE || now - lastTransient >= TRANSIENT_NANOS) {
            lastTransient = now;
            err.print(rank, prefixed(prefix.stderr(), line, '\n'));
        }
    }

    /** A whole line of the same rank takes the place of its progress. */
    private void endStatus() {
        if (statusShown) {
            statusShown = false;
            err.status(new byte[0]);
        }
    }

    List<String> lastLines() {
        return tail.lines();
    }

    private static boolean isGloo(byte[] line) {
        return line.length >= GLOO.length && Arrays.equals(line, 0, GLOO.length, GLOO, 0, GLOO.length);
    }

    private static byte[] prefixed(byte[] prefix, byte[] line, char end) {
        byte[] text = new byte[prefix.length + line.length + 1];
        System.arraycopy(prefix, 0, text, 0, prefix.length);
        System.arraycopy(line, 0, text, prefix.length, line.length);
        text[text.length - 1] = (byte) end;
        return text;
    }

    /** One stream on its way: bytes to the file as they are, lines to the console. */
    static final class Stream {
        private final @Nullable LogFile file;
        private final LineSplitter splitter;

        Stream(@Nullable LogFile file, LineSplitter.Lines lines) {
            this.file = file;
            this.splitter = new LineSplitter(lines);
        }

        void feed(byte[] chunk, int count) {
            if (file != null) {
                file.write(chunk, count);
            }
            splitter.feed(chunk, count);
        }

        void end() {
            splitter.end();
            if (file != null) {
                file.close();
            }
        }
    }
}
