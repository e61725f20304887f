package jdiff.runtime.weights;

import jdiff.runtime.loading.Transfer;
import jdiff.runtime.safetensors.SafetensorsFile;
import jdiff.runtime.safetensors.TensorEntry;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Device;

/**
 * One tensor that a model asked for: where it lies, which part this rank keeps, and in which dtype.
 *
 * @param name in the model
 * @param entry as it is stored
 * @param dtype in memory
 */
public record PlannedTensor(String name, SafetensorsFile file, TensorEntry entry, Shard shard, DType dtype) {
    /** The shape of what this rank keeps. */
    public long[] shape() {
        return shard.of(name, entry.shape());
    }

    /** Bytes of the file that this rank reads. */
    public long fileBytes() {
        return elements() * entry.type().bits() / 8;
    }

    /** Bytes in this rank's memory. */
    public long memoryBytes() {
        return elements() * dtype.sizeBytes();
    }

    private long elements() {
        long product = 1;
        for (long size : shape()) {
            product *= size;
        }
        return product;
    }

    Transfer to(Device device) {
        return new Transfer(name, file, entry, shard.slices(entry), dtype, device, shape());
    }
}
