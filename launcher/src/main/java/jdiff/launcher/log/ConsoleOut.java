package jdiff.launcher.log;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** The launcher's stdout. Nothing is dropped: a slow reader holds the workers back, as in any pipe. A closed one ends printing only. */
public final class ConsoleOut {
    private final OutputStream out;
    private boolean closed;

    public ConsoleOut(OutputStream out) {
        this.out = out;
    }

    public static ConsoleOut standard() {
        return new ConsoleOut(new FileOutputStream(FileDescriptor.out));
    }

    /** Writes one piece of text, which ends with a line end, without mixing it with others. */
    synchronized void write(byte[] text) {
        if (!closed) {
            try {
                out.write(text);
                out.flush();
            } catch (IOException e) {
                closed = true;
            }
        }
    }
}
