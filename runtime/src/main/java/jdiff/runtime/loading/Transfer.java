package jdiff.runtime.loading;

import java.util.Arrays;
import java.util.List;
import jdiff.runtime.safetensors.SafetensorsFile;
import jdiff.runtime.safetensors.TensorEntry;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Device;

/**
 * The way of one tensor: which parts of a file become which tensor where.
 *
 * @param name in messages
 * @param slices what is kept of it, none overlapping
 * @param dtype in memory; where the stored one differs, values are rounded to the nearest, halves to even
 * @param shape in memory
 */
public record Transfer(
        String name,
        SafetensorsFile file,
        TensorEntry entry,
        List<Slice> slices,
        DType dtype,
        Device device,
        long... shape) {
    public Transfer {
        slices = List.copyOf(slices);
        shape = shape.clone();
        if (entry.type().dtype() == null) {
            throw new IllegalArgumentException(name + ": " + entry.type() + " cannot be loaded");
        }
        if (elements(shape) != elements(slices)) {
            throw new IllegalArgumentException(
                    name + ": slices of " + elements(slices) + " elements do not fill " + Arrays.toString(shape));
        }
    }

    @Override
    public long[] shape() {
        return shape.clone();
    }

    /** Elements in memory. */
    public long numel() {
        return elements(shape);
    }

    /** Bytes of the file that are read for it. */
    public long fileBytes() {
        return numel() * elementBytes();
    }

    /** Bytes that it takes in memory. */
    public long memoryBytes() {
        return numel() * dtype.sizeBytes();
    }

    /** Size of an element in the file. */
    int elementBytes() {
        return entry.type().bits() / 8;
    }

    /** Whether the bytes of the file are those in memory. */
    boolean keepsBytes() {
        return dtype == entry.type().dtype();
    }

    /** Whether the elements can be looked at in a mapping of the file: they lie aligned, and go to the CPU. */
    boolean isAligned() {
        return device.type() == Device.Type.CPU
                && slices.stream().allMatch(slice -> slice.fileOffset() % elementBytes() == 0);
    }

    /** Whether the file itself can be the memory: one aligned piece of it, unchanged, on the CPU. */
    boolean isMappable() {
        return keepsBytes() && slices.size() == 1 && slices.get(0).count() == 1 && isAligned();
    }

    private static long elements(List<Slice> slices) {
        return slices.stream().mapToLong(Slice::elements).sum();
    }

    private static long elements(long[] shape) {
        long product = 1;
        for (long size : shape) {
            product *= size;
        }
        return product;
    }
}
