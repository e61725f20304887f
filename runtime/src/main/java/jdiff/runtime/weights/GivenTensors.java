package jdiff.runtime.weights;

import java.util.Arrays;
import java.util.Map;
import jdiff.runtime.tensor.Device;
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
        Tensor part = Tensor.empty(tensor.dtype(), tensor.device(), shard.of(name, shape));
        for (Shard.Part kept : shard.parts(shape)) {
            part.narrow(shard.dim(), kept.to(), kept.length())
                    .copy_(tensor.narrow(shard.dim(), kept.from(), kept.length()));
        }
        return part;
    }

    @Override
    public boolean has(String name) {
        return tensors.containsKey(name);
    }

    @Override
    public Device device(String prefix) {
        return tensors.values().stream().findFirst().map(Tensor::device).orElse(Device.CPU);
    }
}
