package jdiff.runtime.loading;

/**
 * Where a part of a tensor lies in its file and where it goes: {@code count} pieces of {@code piece} elements, {@code fileStride}
 * bytes apart in the file and {@code stride} elements apart in the destination. A whole tensor, or rows of a matrix, are one
 * piece; columns of a matrix are a piece for each row.
 *
 * @param fileOffset first byte in the file
 * @param element first element in the destination
 */
public record Slice(long fileOffset, long fileStride, long element, long stride, long piece, long count) {
    /** One piece. */
    public static Slice of(long fileOffset, long element, long elements) {
        return new Slice(fileOffset, 0, element, 0, elements, 1);
    }

    /** Elements of all pieces. */
    public long elements() {
        return piece * count;
    }
}
