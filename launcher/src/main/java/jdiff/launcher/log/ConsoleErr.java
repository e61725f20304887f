package jdiff.launcher.log;

import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The launcher's stderr, written by a thread of its own, so that a slow or stopped reader never holds up the job: each source
 * may queue 1 MiB, then its oldest lines are dropped and counted. On a terminal one transient line (progress) stays at the
 * bottom and is redrawn below whatever is printed.
 */
public final class ConsoleErr {
    /** Source of the launcher's own messages; workers are numbered from 0. */
    public static final int LAUNCHER = -1;

    private static final int BACKLOG = 1 << 20;
    private static final byte[] ERASE = {'\r', 0x1b, '[', 'K'};

    private final OutputStream out;
    private final boolean terminal;
    private final Deque<Entry> queue = new ArrayDeque<>();
    private final Map<Integer, Integer> queued = new HashMap<>();
    private final Map<Integer, Integer> dropped = new HashMap<>();
    private byte @Nullable [] status;
    private boolean statusChanged;
    private boolean statusShown;
    private boolean writing;
    private int lastSource = LAUNCHER;
    private int sameSource;
    private boolean closed;

    private static final class Entry {
        private final int source;
        private final byte[] text;

        Entry(int source, byte[] text) {
            this.source = source;
            this.text = text;
        }
    }

    /** Writes to any stream; {@code terminal} says whether a transient line can be redrawn on it. */
    public ConsoleErr(OutputStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
        var thread = new Thread(null, this::writeAll, "stderr", 128 << 10);
        thread.setDaemon(true);
        thread.start();
    }

    public static ConsoleErr standard(boolean terminal) {
        return new ConsoleErr(new FileOutputStream(FileDescriptor.err), terminal);
    }

    public boolean isTerminal() {
        return terminal;
    }

    /** A stream for {@link System#setErr}: what is printed there takes its turn in the queue, line by line. */
    public PrintStream asPrintStream() {
        var lines = new LineSplitter(new LineSplitter.Lines() {
            @Override
            public void line(byte[] line) {
                print(LAUNCHER, withLineEnd(line));
            }

            @Override
            public void transientLine(byte[] line) {
                print(LAUNCHER, withLineEnd(line));
            }
        });
        return new PrintStream(
                new OutputStream() {
                    @Override
                    public synchronized void write(int b) {
                        write(new byte[] {(byte) b}, 0, 1);
                    }

                    @Override
                    public synchronized void write(byte[] bytes, int offset, int count) {
                        lines.feed(Arrays.copyOfRange(bytes, offset, offset + count), count);
                    }
                },
                true,
                StandardCharsets.UTF_8);
    }

    static byte[] withLineEnd(byte[] line) {
        byte[] text = Arrays.copyOf(line, line.length + 1);
        text[line.length] = '\n';
        return text;
    }

    /** Prints a message of the launcher itself. */
    public void notice(String message) {
        line("jdiff: " + message);
    }

    /** Prints one line as it is. */
    public void line(String line) {
        print(LAUNCHER, withLineEnd(line.getBytes(StandardCharsets.UTF_8)));
    }

    /** Queues text that ends with a line end. */
    public synchronized void print(int source, byte[] text) {
        sameSource = source == lastSource ? sameSource + 1 : 1;
        lastSource = source;
        queue.addLast(new Entry(source, text));
        int bytes = queued.merge(source, text.length, Integer::sum);
        if (bytes > BACKLOG) {
            dropOldest(source);
        }
        notifyAll();
    }

    /** Replaces the transient line of a terminal. */
    synchronized void status(byte[] text) {
        status = text;
        statusChanged = true;
        notifyAll();
    }

    /** How many lines at the very end come from this source alone. */
    public synchronized int trailing(int source) {
        return source == lastSource && !dropped.containsKey(source) ? sameSource : 0;
    }

    /** Writes to another stream that shows on the same terminal: the transient line makes room for it and comes back below. */
    void interject(OutputStream other, byte[] text) throws IOException {
        boolean erase = begin();
        try {
            if (erase) {
                out.write(ERASE);
                out.flush();
            }
            other.write(text);
            other.flush();
        } finally {
            synchronized (this) {
                writing = false;
                statusChanged |= erase;
                notifyAll();
            }
        }
    }

    /** Waits for the turn to write; returns whether a transient line has to make room. */
    private synchronized boolean begin() throws IOException {
        try {
            while (writing && !closed) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for the terminal");
        }
        boolean shown = statusShown && !closed;
        writing = true;
        statusShown = false;
        return shown;
    }

    /** Bytes of one source that wait to be written. */
    synchronized int queuedBytes(int source) {
        return queued.getOrDefault(source, 0);
    }

    private void dropOldest(int source) {
        var entries = queue.iterator();
        while (entries.hasNext() && queued.getOrDefault(source, 0) > BACKLOG) {
            Entry entry = entries.next();
            if (entry.source == source) {
                entries.remove();
                queued.merge(source, -entry.text.length, Integer::sum);
                dropped.merge(source, 1, Integer::sum);
            }
        }
    }

    /** Waits until everything queued is written, or the time is over. The transient line stays on the terminal as it is. */
    public synchronized void flush(long timeoutMillis) {
        long deadline = System.nanoTime() + timeoutMillis * 1_000_000;
        try {
            while ((!queue.isEmpty() || writing || statusChanged) && !closed) {
                long left = (deadline - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    return;
                }
                wait(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void writeAll() {
        try {
            while (true) {
                byte[] next = next();
                out.write(next);
                out.flush();
                synchronized (this) {
                    writing = false;
                    notifyAll();
                }
            }
        } catch (IOException e) {
            synchronized (this) {
                closed = true; // Nobody reads stderr any more; the queue stays bounded by its limit.
                notifyAll();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized byte[] next() throws InterruptedException {
        while (writing || (queue.isEmpty() && !statusChanged)) {
            wait();
        }
        writing = true;
        var text = new ByteArrayOutputStream();
        if (statusShown) {
            text.writeBytes(ERASE);
            statusShown = false;
        }
        Entry entry = queue.pollFirst();
        if (entry != null) {
            queued.merge(entry.source, -entry.text.length, Integer::sum);
            Integer lost = dropped.remove(entry.source);
            if (lost != null) {
                text.writeBytes(lossNotice(entry.source, lost));
            }
            text.writeBytes(entry.text);
        }
        statusChanged = false;
        if (status != null && status.length > 0) {
            text.writeBytes(status);
            statusShown = true;
        }
        return text.toByteArray();
    }

    private static byte[] lossNotice(int source, int lines) {
        String who = source == LAUNCHER ? "jdiff" : "jdiff: rank " + source;
        return (who + ": " + lines + " lines of stderr dropped, its reader is too slow\n")
                .getBytes(StandardCharsets.UTF_8);
    }
}
