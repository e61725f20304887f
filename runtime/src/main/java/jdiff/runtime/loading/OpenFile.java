package jdiff.runtime.loading;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import org.jspecify.annotations.Nullable;

/** A weight file while it is read: opened for the first range, closed after the last, shared by all readers. */
final class OpenFile {
    private static final Path NOWHERE = Path.of("/dev/null");

    private final Path path;
    private final boolean direct;
    private @Nullable FileChannel channel;
    private @Nullable FileChannel nowhere;
    private @Nullable CachedPages cached;
    private long broughtIn;
    private int blockBytes;
    private int rangesLeft;

    /** @param direct past the page cache, if the file system can */
    OpenFile(Path path, boolean direct) {
        this.path = path;
        this.direct = direct;
    }

    void expectOneMore() {
        rangesLeft++;
    }

    /**
     * Fills {@code target} from byte {@code from} on, by one positional read where the system gives all at once.
     *
     * @param bounce aligned memory of the reader, through which a file that is read directly must go
     */
    void read(ByteBuffer target, long from, Bounce bounce) throws FaultException {
        long to = from + target.remaining();
        try {
            FileChannel open = channel();
            if (blockBytes > 0) {
                bounced(open, target, from, to, bounce);
                return;
            }
            while (target.hasRemaining()) {
                if (open.read(target, to - target.remaining()) < 0) {
                    throw shrank(open, from, to);
                }
            }
        } catch (FaultException e) {
            throw e;
        } catch (IOException e) {
            throw unreadable(from, to, e);
        }
    }

    /** Whether the page cache seems to hold the bytes, so that they can be looked at in a mapping without waiting for a disk. */
    boolean isCached(long from, long to) throws FaultException {
        try {
            FileChannel open = channel();
            if (open.size() < to) {
                throw shrank(open, from, to);
            }
            looksAt(to);
            return cached(open).hold(from, to);
        } catch (FaultException e) {
            throw e;
        } catch (IOException e) {
            throw unreadable(from, to, e);
        }
    }

    /**
     * Has the system read bytes into its page cache, without copying them anywhere: what is mapped there is in memory then. Done by a call that reports a short file or a bad disk; to touch a mapped page that cannot
     * be had would end the process.
     */
    void bringIn(long from, long to) throws FaultException {
        try {
            FileChannel open = channel();
            looksAt(to);
            FileChannel target = nowhere();
            long at = from;
            while (at < to) {
                long moved = open.transferTo(at, to - at, target);
                if (moved <= 0) {
                    throw shrank(open, from, to);
                }
                at += moved;
            }
        } catch (FaultException e) {
            throw e;
        } catch (IOException e) {
            throw unreadable(from, to, e);
        }
    }

    private FaultException unreadable(long from, long to, IOException e) {
        return new FaultException(
                Fault.IO, path + ": bytes " + from + ".." + to + " cannot be read: " + e.getMessage(), e);
    }

    /** Whole blocks into aligned memory, from there to where they belong. */
    private void bounced(FileChannel open, ByteBuffer target, long from, long to, Bounce bounce)
            throws IOException, FaultException {
        ByteBuffer blocks = bounce.aligned(blockBytes);
        long at = from;
        while (at < to) {
            long start = at / blockBytes * blockBytes;
            long end = (to + blockBytes - 1) / blockBytes * blockBytes;
            blocks.clear().limit((int) Math.min(blocks.capacity(), end - start));
            int read = open.read(blocks, start);
            if (start + read <= at) {
                throw shrank(open, from, to);
            }
            int useful = (int) (Math.min(start + read, to) - at);
            target.put(blocks.flip().position((int) (at - start)).limit((int) (at - start) + useful));
            at += useful;
        }
    }

    private FaultException shrank(FileChannel open, long from, long to) throws IOException {
        return shrank(path, from, to, open.size());
    }

    /** The fault of a file that ends at {@code end}, before byte {@code to}. */
    static FaultException shrank(Path path, long from, long to, long end) {
        return new FaultException(
                Fault.BAD_INPUT,
                path + " shrank while loading: wanted bytes " + from + ".." + to + ", file now ends at " + end);
    }

    /** Closes the file after its last range; what was brought in must still be there then. */
    synchronized void rangeDone() throws FaultException {
        if (--rangesLeft > 0) {
            return;
        }
        try {
            if (channel != null && channel.size() < broughtIn) {
                throw shrank(channel, 0, broughtIn);
            }
        } catch (FaultException e) {
            throw e;
        } catch (IOException e) {
            throw unreadable(0, broughtIn, e);
        }
        close();
    }

    synchronized void close() throws FaultException {
        FileChannel file = channel;
        FileChannel target = nowhere;
        channel = null;
        nowhere = null;
        close(target);
        close(file);
    }

    private void close(@Nullable FileChannel open) throws FaultException {
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                throw new FaultException(Fault.IO, path + ": cannot be closed: " + e.getMessage(), e);
            }
        }
    }

    /** Notes that what lies before byte {@code to} is looked at in a mapping, and must be there until the end. */
    private synchronized void looksAt(long to) {
        broughtIn = Math.max(broughtIn, to);
    }

    private synchronized CachedPages cached(FileChannel open) throws IOException {
        CachedPages known = cached;
        if (known == null) {
            known = new CachedPages(open, path);
            cached = known;
        }
        return known;
    }

    private synchronized FileChannel nowhere() throws IOException {
        FileChannel open = nowhere;
        if (open == null) {
            open = FileChannel.open(NOWHERE, StandardOpenOption.WRITE);
            nowhere = open;
        }
        return open;
    }

    private synchronized FileChannel channel() throws IOException {
        FileChannel open = channel;
        if (open == null) {
            open = open();
            channel = open;
        }
        return open;
    }

    private FileChannel open() throws IOException {
        if (direct) {
            try {
                FileChannel unbuffered = FileChannel.open(path, StandardOpenOption.READ, ExtendedOpenOption.DIRECT);
                blockBytes = Math.toIntExact(Files.getFileStore(path).getBlockSize());
                return unbuffered;
            } catch (IOException | UnsupportedOperationException e) {
                blockBytes = 0; // tmpfs, for instance, has no reads past the cache
            }
        }
        return FileChannel.open(path, StandardOpenOption.READ);
    }
}
