package jdiff.runtime.model.qwenimage;

import java.util.function.Consumer;
import jdiff.runtime.nn.Linear;
import jdiff.runtime.nn.Modulation;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.tensor.TensorGroup;
import jdiff.runtime.weights.Weights;

/** Shift, scale and gate of one stream in one block, for attention and for the MLP, from the timestep. */
final class StreamModulation {
    private final Linear linear;
    private final int channels;

    /** A gated sub-layer: its norm is modulated, its result scaled before it joins the stream; gate [B, 1, K]. */
    record Gated(Modulation modulation, Tensor gate) implements TensorGroup {
        Tensor normalise(Tensor x) {
            return modulation.normalise(x);
        }

        /** x + gate · y. */
        Tensor join(Tensor x, Tensor y) {
            return x.addcmul(gate, y);
        }

        @Override
        public void forEachTensor(Consumer<Tensor> action) {
            modulation.forEachTensor(action);
            action.accept(gate);
        }
    }

    record Both(Gated attention, Gated mlp) implements TensorGroup {
        @Override
        public void forEachTensor(Consumer<Tensor> action) {
            attention.forEachTensor(action);
            mlp.forEachTensor(action);
        }
    }

    StreamModulation(Weights w, int channels) {
        this.linear = Linear.modulation(w.at("1"), channels, 6L * channels);
        this.channels = channels;
    }

    /**
     * @param activation silu(temb) [B, K]
     */
    Both forward(Tensor activation) {
        Tensor all = linear.forward(activation).unsqueeze(1); // [B, 1, 6K]
        return new Both(gated(all, 0), gated(all, 3));
    }

    private Gated gated(Tensor all, int first) {
        return new Gated(new Modulation(part(all, first), part(all, first + 1)), part(all, first + 2));
    }

    private Tensor part(Tensor all, int index) {
        return all.narrow(-1, (long) index * channels, channels);
    }
}
