package jdiff.runtime.loading;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether parts of a file lie in the page cache, judged by samples: to ask for every page takes as long as to bring it in again.
 * Any number of threads may ask. The mappings, in which nothing is ever touched, last until the garbage collector finds them.
 */
final class CachedPages {
    /** From one sample to the next. The kernel reads ahead, and lets go, in pieces of this order. */
    private static final int SAMPLE_BYTES = 1 << 20;
    /** What one buffer maps. */
    private static final long WINDOW_BYTES = 1 << 30;

    private final boolean told;
    private final List<MappedByteBuffer> windows = new ArrayList<>();

    /** Maps the file, which reads nothing. */
    CachedPages(FileChannel file, Path path) throws IOException {
        // Of a file that a process may not write Linux calls all pages cached, lest they tell of other users.
        this.told = Files.isWritable(path);
        long bytes = told ? file.size() : 0;
        for (long at = 0; at < bytes; at += WINDOW_BYTES) {
            windows.add(file.map(MapMode.READ_ONLY, at, Math.min(WINDOW_BYTES, bytes - at)));
        }
    }

    /** Whether bytes {@code from} to {@code to} seem to be there. */
    boolean hold(long from, long to) {
        if (!told) {
            return false;
        }
        for (long at = from; at < to - 1; at += SAMPLE_BYTES) {
            if (!holds(at)) {
                return false;
            }
        }
        return holds(to - 1);
    }

    private boolean holds(long at) {
        int window = (int) (at / WINDOW_BYTES);
        int place = (int) (at % WINDOW_BYTES);
        return window < windows.size()
                && place < windows.get(window).capacity()
                && windows.get(window).slice(place, 1).isLoaded();
    }
}
