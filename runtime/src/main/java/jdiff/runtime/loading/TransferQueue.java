package jdiff.runtime.loading;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import jdiff.runtime.loading.Chunk.Range;
import jdiff.runtime.loading.Chunk.Span;
import jdiff.runtime.safetensors.SafetensorsFile;

/** Cuts transfers into chunks that are large enough for a disk and small enough for several readers. */
final class TransferQueue {
    /** Largest read. */
    static final int RANGE_BYTES = 16 << 20;
    /** Largest read that serves several tensors. */
    private static final int SPAN_BYTES = 8 << 20;
    /** Tensors below this size share a read with their neighbours: a copy costs less than another read. */
    private static final int SMALL_BYTES = 256 << 10;
    /** Memory from the first to the last piece of a range. */
    private static final long SPANNED_BYTES = 1 << 30;
    /** Bytes of nobody that a shared read may pass over, for each byte that somebody wants. */
    private static final double MAX_WASTE = 0.04;

    private final int rangeBytes;
    private final int spanBytes;

    /**
     * @param rangeBytes largest read
     * @param stagedBytes memory of a reader, into which a shared read must fit
     */
    TransferQueue(int rangeBytes, int stagedBytes) {
        this.rangeBytes = rangeBytes;
        this.spanBytes = Math.min(SPAN_BYTES, stagedBytes);
    }

    /** All chunks, ordered by component, then by file as the transfers first name it, then by place. */
    List<Chunk> of(List<Destination> destinations) {
        Map<SafetensorsFile, Integer> order = new HashMap<>();
        List<Chunk> chunks = new ArrayList<>();
        for (Destination destination : destinations) {
            order.putIfAbsent(destination.transfer().file(), order.size());
            cut(destination, chunks);
        }
        chunks.sort(Comparator.<Chunk>comparingInt(chunk -> chunk.first().component())
                .thenComparingInt(chunk -> Objects.requireNonNull(
                        order.get(chunk.first().transfer().file())))
                .thenComparingLong(Chunk::fileOffset));
        return coalesced(chunks);
    }

    private void cut(Destination destination, List<Chunk> chunks) {
        int elementBytes = destination.transfer().elementBytes();
        int limit = Math.max(1, rangeBytes / elementBytes);
        for (Slice slice : destination.transfer().slices()) {
            if (destination.isMapped()) {
                for (long done = 0; done < slice.piece(); done += limit) {
                    int elements = (int) Math.min(limit, slice.piece() - done);
                    chunks.add(new Chunk.Pages(
                            destination, slice.fileOffset() + done * elementBytes, slice.element() + done, elements));
                }
            } else {
                chunks.addAll(ranges(destination, slice, rangeBytes));
            }
        }
    }

    /** Cuts a slice into ranges of at most {@code limitBytes}. */
    static List<Range> ranges(Destination destination, Slice slice, int limitBytes) {
        int limit = Math.max(1, limitBytes / destination.transfer().elementBytes());
        List<Range> ranges = new ArrayList<>();
        if (slice.count() == 1 || slice.piece() >= limit) {
            for (long i = 0; i < slice.count(); i++) {
                onePiece(destination, slice, i, limit, ranges);
            }
        } else {
            manyPieces(destination, slice, limit, ranges);
        }
        return ranges;
    }

    /** A long piece, in parts. */
    private static void onePiece(Destination destination, Slice slice, long index, int limit, List<Range> ranges) {
        int elementBytes = destination.transfer().elementBytes();
        long offset = slice.fileOffset() + index * slice.fileStride();
        long element = slice.element() + index * slice.stride();
        for (long done = 0; done < slice.piece(); done += limit) {
            int piece = (int) Math.min(limit, slice.piece() - done);
            ranges.add(new Range(destination, offset + done * elementBytes, 0, element + done, 0, piece, 1));
        }
    }

    /** Short pieces, many at a time. */
    private static void manyPieces(Destination destination, Slice slice, int limit, List<Range> ranges) {
        // One buffer must span them in memory, what lies between them included.
        long spanned =
                SPANNED_BYTES / (slice.stride() * destination.transfer().dtype().sizeBytes());
        long many = Math.max(1, Math.min(limit / slice.piece(), spanned));
        for (long i = 0; i < slice.count(); i += many) {
            ranges.add(new Range(
                    destination,
                    slice.fileOffset() + i * slice.fileStride(),
                    slice.fileStride(),
                    slice.element() + i * slice.stride(),
                    slice.stride(),
                    (int) slice.piece(),
                    (int) Math.min(many, slice.count() - i)));
        }
    }

    /** Joins small neighbours of one file. */
    private List<Chunk> coalesced(List<Chunk> sorted) {
        List<Chunk> out = new ArrayList<>(sorted.size());
        Run run = new Run();
        for (Chunk chunk : sorted) {
            if (chunk instanceof Range range && isSmall(range)) {
                if (!run.accepts(range)) {
                    run.flush(out);
                }
                run.add(range);
            } else {
                run.flush(out);
                out.add(chunk);
            }
        }
        run.flush(out);
        return out;
    }

    private static boolean isSmall(Range range) {
        // Unaligned elements cannot be looked at inside a buffer that others share.
        return range.count() == 1
                && range.bytes() < SMALL_BYTES
                && range.fileOffset() % range.destination().transfer().elementBytes() == 0;
    }

    /** Small neighbours that become one read. */
    private final class Run {
        private final List<Range> ranges = new ArrayList<>();
        private long wanted;

        boolean accepts(Range next) {
            if (ranges.isEmpty()) {
                return true;
            }
            Range first = ranges.get(0);
            long length = next.end() - first.fileOffset();
            return next.destination().component() == first.destination().component()
                    && next.destination().transfer().file()
                            == first.destination().transfer().file()
                    && next.fileOffset() >= ranges.get(ranges.size() - 1).end()
                    && length <= spanBytes
                    && length <= (wanted + next.bytes()) * (1 + MAX_WASTE);
        }

        void add(Range range) {
            ranges.add(range);
            wanted += range.bytes();
        }

        void flush(List<Chunk> out) {
            if (ranges.size() == 1) {
                out.add(ranges.get(0));
            } else if (ranges.size() > 1) {
                long from = ranges.get(0).fileOffset();
                out.add(new Span(from, (int) (ranges.get(ranges.size() - 1).end() - from), List.copyOf(ranges)));
            }
            ranges.clear();
            wanted = 0;
        }
    }
}
