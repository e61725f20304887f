package jdiff.runtime.loading;

import java.util.List;

/** What one reader does at a time. Chunks are done in the order (component, file, offset). */
sealed interface Chunk {
    /** First byte in the file. */
    long fileOffset();

    /** The byte of the file after the last one. */
    long end();

    /** Bytes of the file that end up in tensors. */
    long bytes();

    /** The destinations, for their component and file: all chunks of one have the same. */
    Destination first();

    /**
     * Pieces of one tensor, each a read of its own.
     *
     * @param piece elements of each
     * @param fileStride bytes from one to the next
     * @param element first element in the destination
     * @param stride elements from one to the next there
     */
    record Range(
            Destination destination, long fileOffset, long fileStride, long element, long stride, int piece, int count)
            implements Chunk {
        /** Elements of all pieces. */
        int elements() {
            return piece * count;
        }

        int pieceBytes() {
            return piece * destination.transfer().elementBytes();
        }

        @Override
        public long end() {
            return fileOffset + pieceBytes() + (count - 1) * fileStride;
        }

        @Override
        public long bytes() {
            return (long) pieceBytes() * count;
        }

        @Override
        public Destination first() {
            return destination;
        }
    }

    /**
     * Small neighbours in one read.
     *
     * @param length of the read, gaps between the ranges included
     * @param ranges of one piece each
     */
    record Span(long fileOffset, int length, List<Range> ranges) implements Chunk {
        @Override
        public long end() {
            return fileOffset + length;
        }

        @Override
        public long bytes() {
            return ranges.stream().mapToLong(Range::bytes).sum();
        }

        @Override
        public Destination first() {
            return ranges.get(0).destination();
        }
    }

    /** Elements of a mapped tensor, whose pages are brought into the page cache. */
    record Pages(Destination destination, long fileOffset, long element, int elements) implements Chunk {
        @Override
        public long end() {
            return fileOffset + bytes();
        }

        @Override
        public long bytes() {
            return (long) elements * destination.transfer().elementBytes();
        }

        @Override
        public Destination first() {
            return destination;
        }
    }
}
