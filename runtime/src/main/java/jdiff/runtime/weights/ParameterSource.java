package jdiff.runtime.weights;

import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Tensor;

/** What stands behind a cursor: a checkpoint whose names are being gathered, or the parameters that were read. */
interface ParameterSource {
    /**
     * The part {@code shard} of parameter {@code name}, owned by the current scope.
     *
     * @param shape the whole parameter's shape
     */
    Tensor get(String name, Shard shard, long[] shape);

    /** Whether the checkpoint has a tensor of that name. */
    boolean has(String name);

    /** Notes that the parameters below {@code prefix} (without its last dot) are a block. */
    default void block(String prefix) {}

    /** Where the parameters below {@code prefix} (without its last dot) live. */
    Device device(String prefix);
}
