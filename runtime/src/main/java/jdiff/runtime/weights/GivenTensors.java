package jdiff.runtime.weights;

import java.util.Arrays;
import java.util.Map;
import jdiff.runtime.tensor.Tensor;

/** Tensors that a test hands over, by their full names. */
record GivenTensors(Map<String, Tensor> tensors) implements ParameterSource {
    @Override
    public Tensor get(String name, Shard shard, long[] shape) {
        Tensor tensor = tensors.get(name);
        if (tensor == null || !Arrays.equals(tensor.shape(), shape)) {
            throw new IllegalStateException(
                    name + ": wanted " + Arrays.toString(shape) + ", found " + (tensor == null ? "nothing" : tensor));
        }
        if (shard.isAll()) {
            return tensor.view(shape);
        }
        long[] kept = shard.of(name, shape);
        Tensor part = Tensor.empty(tensor.dtype(), tensor.device(), kept);
        long from = 0;
        long to = 0;
        for (long segment : shard.segmentsOf(shape)) {
            long length = segment / shard.ranks();
            part.narrow(shard.dim(), to, length)
                    .copy_(tensor.narrow(shard.dim(), from + shard.rank() * length, length));
            from += segment;
            to += length;
        }
        return part;
    }

    @Override
    public boolean has(String name) {
        return tensors.containsKey(name);
    }
}
