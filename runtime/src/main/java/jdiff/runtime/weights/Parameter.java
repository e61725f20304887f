package jdiff.runtime.weights;

import jdiff.runtime.tensor.DType;

/** One parameter of a load plan: where it lies, which part this rank keeps, and what becomes of it. */
final class Parameter {
    private final String name;
    private final Checkpoint.Location location;
    private final Shard shard;
    private final long[] shape;
    private final DType dtype;
    private int uses;

    Parameter(String name, Checkpoint.Location location, Shard shard, DType dtype) {
        this.name = name;
        this.location = location;
        this.shard = shard;
        this.shape = shard.of(name, location.entry().shape());
        this.dtype = dtype;
    }

    String name() {
        return name;
    }

    Checkpoint.Location location() {
        return location;
    }

    Shard shard() {
        return shard;
    }

    /** The shape of the part. */
    long[] shape() {
        return shape.clone();
    }

    /** The dtype in memory. */
    DType dtype() {
        return dtype;
    }

    long numel() {
        long n = 1;
        for (long size : shape) {
            n *= size;
        }
        return n;
    }

    /** Bytes in memory. */
    long bytes() {
        return numel() * dtype.sizeBytes();
    }

    /** How often the model asks for it; after the last time only the model holds it. */
    int uses() {
        return uses;
    }

    void use() {
        uses++;
    }
}
