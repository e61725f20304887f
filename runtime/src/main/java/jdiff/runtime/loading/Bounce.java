package jdiff.runtime.loading;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Aligned memory of one reader for reads past the page cache, made when first needed. */
final class Bounce {
    private final int bytes;
    private @Nullable ByteBuffer memory;

    Bounce(int bytes) {
        this.bytes = bytes;
    }

    /** A buffer whose address and capacity are multiples of {@code blockBytes}. */
    ByteBuffer aligned(int blockBytes) {
        ByteBuffer made = memory;
        if (made == null) {
            made = ByteBuffer.allocateDirect(bytes / blockBytes * blockBytes + 2 * blockBytes)
                    .alignedSlice(blockBytes);
            memory = made;
        }
        return made.clear();
    }
}
