package jdiff.runtime.weights;

import java.util.Arrays;

/**
 * One tensor of a file as its header describes it.
 *
 * @param begin first byte of its data, counted from the start of the file
 * @param bytes length of its data
 */
public record TensorEntry(String name, StoredType type, long[] shape, long begin, long bytes) {
    /** Number of elements; 1 for a scalar. */
    public long numel() {
        long n = 1;
        for (long size : shape) {
            n *= size;
        }
        return n;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TensorEntry e
                && name.equals(e.name)
                && type == e.type
                && Arrays.equals(shape, e.shape)
                && begin == e.begin
                && bytes == e.bytes;
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return name + " " + type + " " + Arrays.toString(shape) + " at " + begin + ", " + bytes + " bytes";
    }
}
