package jdiff.launcher.log;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import jdiff.launcher.host.Terminal;
import org.jspecify.annotations.Nullable;

/** The launcher's stdout. Nothing is dropped: a slow reader holds the workers back, as in any pipe. A closed one ends printing only. */
public final class ConsoleOut {
    private final OutputStream out;
    private final @Nullable ConsoleErr beside;
    private boolean closed;

    public ConsoleOut(OutputStream out) {
        this(out, null);
    }

    /** @param beside what shows on the same terminal and has to make room; null if there is none */
    ConsoleOut(OutputStream out, @Nullable ConsoleErr beside) {
        this.out = out;
        this.beside = beside;
    }

    /** The process's stdout, beside its stderr, which may share a terminal with it. */
    public static ConsoleOut standard(ConsoleErr err) {
        boolean shared = err.isTerminal() && Terminal.isTerminal(1);
        return new ConsoleOut(new FileOutputStream(FileDescriptor.out), shared ? err : null);
    }

    /** Writes one piece of text, which ends with a line end, without mixing it with others. */
    synchronized void write(byte[] text) {
        if (!closed) {
            try {
                if (beside != null) {
                    beside.interject(out, text);
                } else {
                    out.write(text);
                    out.flush();
                }
            } catch (IOException e) {
                closed = true;
            }
        }
    }
}
