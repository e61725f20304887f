package jdiff.runtime.model.qwenimage;

import java.util.function.Consumer;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Movable;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.tensor.TensorGroup;

/** The two residual streams: text [B, S, K] and image [B, L, K]. */
record Streams(Tensor txt, Tensor img) implements TensorGroup, Movable<Streams> {
    @Override
    public Streams to(Device device) {
        return new Streams(txt.to(device), img.to(device));
    }

    @Override
    public void forEachTensor(Consumer<Tensor> action) {
        action.accept(txt);
        action.accept(img);
    }
}
