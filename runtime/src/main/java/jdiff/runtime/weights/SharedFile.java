package jdiff.runtime.weights;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.safetensors.SafetensorsFile;
import org.jspecify.annotations.Nullable;

/** A weight file while ranges of it are read: opened for the first, closed after the last, shared by all readers. */
final class SharedFile {
    private final SafetensorsFile file;
    private @Nullable FileChannel channel;
    private int rangesLeft;

    SharedFile(SafetensorsFile file) {
        this.file = file;
    }

    void expectOneMore() {
        rangesLeft++;
    }

    /** Fills {@code target} from byte {@code from} on, by one positional read where the system gives all at once. */
    void read(ByteBuffer target, long from) throws FaultException {
        long to = from + target.remaining();
        try {
            FileChannel open = channel();
            while (target.hasRemaining()) {
                if (open.read(target, to - target.remaining()) < 0) {
                    throw new FaultException(
                            Fault.BAD_INPUT,
                            file.path() + " shrank while loading: wanted bytes " + from + ".." + to
                                    + ", file now ends at " + open.size());
                }
            }
        } catch (FaultException e) {
            throw e;
        } catch (IOException e) {
            throw new FaultException(
                    Fault.IO, file.path() + ": bytes " + from + ".." + to + " cannot be read: " + e.getMessage(), e);
        }
    }

    synchronized void rangeDone() throws FaultException {
        if (--rangesLeft == 0) {
            close();
        }
    }

    synchronized void close() throws FaultException {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                throw new FaultException(Fault.IO, file.path() + ": cannot be closed: " + e.getMessage(), e);
            } finally {
                channel = null;
            }
        }
    }

    private synchronized FileChannel channel() throws IOException {
        if (channel == null) {
            channel = FileChannel.open(file.path(), StandardOpenOption.READ);
        }
        return channel;
    }
}
