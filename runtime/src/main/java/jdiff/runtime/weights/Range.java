package jdiff.runtime.weights;

import java.util.Arrays;
import java.util.List;
import jdiff.runtime.safetensors.SafetensorsFile;
import jdiff.runtime.safetensors.TensorEntry;

/**
 * The unit of reading: {@code count} pieces of {@code piece} elements, {@code fileStride} bytes apart in the file and {@code
 * stride} elements apart in the destination. A plain tensor is cut into ranges of one piece; columns of a matrix are ranges of
 * many rows.
 *
 * @param fileOffset first byte in the file
 * @param element first element in the destination
 */
record Range(
        Destination destination, long fileOffset, long fileStride, long element, long stride, int piece, int count) {
    /** Cuts what a rank keeps of a parameter into ranges of at most {@code limitBytes}. */
    static void cut(Destination destination, long limitBytes, List<Range> ranges) {
        Parameter parameter = destination.parameter();
        TensorEntry entry = parameter.location().entry();
        long[] full = entry.shape();
        Shard shard = parameter.shard();
        int elementBytes = entry.type().bits() / 8;
        long limit = Math.max(1, limitBytes / elementBytes);
        if (shard.isAll()) {
            pieces(destination, entry.begin(), 0, entry.numel(), limit, elementBytes, ranges);
            return;
        }
        int dim = shard.dim();
        long outer = product(full, 0, dim);
        long inner = product(full, dim + 1, full.length);
        long row = full[dim] * inner;
        long keptRow = row / shard.ranks();
        long segmentStart = 0;
        long keptStart = 0;
        for (long segment : shard.segmentsOf(full)) {
            long piece = segment / shard.ranks() * inner;
            long from = segmentStart * inner + shard.rank() * piece;
            if (outer == 1 || piece >= limit) {
                for (long r = 0; r < outer; r++) {
                    long begin = entry.begin() + (r * row + from) * elementBytes;
                    pieces(destination, begin, r * keptRow + keptStart, piece, limit, elementBytes, ranges);
                }
            } else if (piece > 0) {
                long rows = limit / piece;
                for (long r = 0; r < outer; r += rows) {
                    ranges.add(new Range(
                            destination,
                            entry.begin() + (r * row + from) * elementBytes,
                            row * elementBytes,
                            r * keptRow + keptStart,
                            keptRow,
                            (int) piece,
                            (int) Math.min(rows, outer - r)));
                }
            }
            segmentStart += segment;
            keptStart += piece;
        }
    }

    private static void pieces(
            Destination destination,
            long fileOffset,
            long element,
            long elements,
            long limit,
            int elementBytes,
            List<Range> ranges) {
        for (long done = 0; done < elements; done += limit) {
            int piece = (int) Math.min(limit, elements - done);
            ranges.add(new Range(destination, fileOffset + done * elementBytes, 0, element + done, 0, piece, 1));
        }
    }

    private static long product(long[] sizes, int from, int to) {
        return Arrays.stream(sizes, from, to).reduce(1, (a, b) -> a * b);
    }

    SafetensorsFile file() {
        return destination.parameter().location().file();
    }

    /** Elements of all pieces. */
    int elements() {
        return piece * count;
    }
}
