package jdiff.runtime.safetensors;

import java.util.Arrays;

/** One tensor of a file as its header describes it. */
public final class TensorEntry {
    private final String name;
    private final StoredType type;
    private final long[] shape;
    private final long begin;
    private final long bytes;

    TensorEntry(String name, StoredType type, long[] shape, long begin, long bytes) {
        this.name = name;
        this.type = type;
        this.shape = shape;
        this.begin = begin;
        this.bytes = bytes;
    }

    public String name() {
        return name;
    }

    public StoredType type() {
        return type;
    }

    /** A copy of the shape; empty for a scalar. */
    public long[] shape() {
        return shape.clone();
    }

    /** First byte of its data, counted from the start of the file. */
    public long begin() {
        return begin;
    }

    /** Length of its data. */
    public long bytes() {
        return bytes;
    }

    /** Number of elements; 1 for a scalar. */
    public long numel() {
        return bytes * 8 / type.bits();
    }

    public boolean hasShape(long[] wanted) {
        return Arrays.equals(shape, wanted);
    }

    TensorEntry movedBy(long offset) {
        return new TensorEntry(name, type, shape, begin + offset, bytes);
    }

    /** For instance {@code to_q.weight BF16[24, 8]}. */
    @Override
    public String toString() {
        return name + " " + type + Arrays.toString(shape);
    }
}
