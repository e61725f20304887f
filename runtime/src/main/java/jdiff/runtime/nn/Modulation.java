package jdiff.runtime.nn;

import java.util.function.Consumer;
import jdiff.runtime.tensor.Functional;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.tensor.TensorGroup;

/** Shift and scale of a layer norm, computed from the timestep (adaLN); both [B, 1, C]. */
public record Modulation(Tensor shift, Tensor scale) implements TensorGroup {
    private static final double EPS = 1e-6;

    /** LN(x)·(1 + scale) + shift, the norm without parameters of its own; [B, S, C] → [B, S, C]. */
    public Tensor normalise(Tensor x) {
        Tensor factor = scale.add(1.0);
        if (x.size(0) == 1) {
            // One sample: the modulation is the norm's weight and bias, all in one pass over x.
            return Functional.layerNorm(x, factor.reshape(x.size(-1)), shift.reshape(x.size(-1)), EPS);
        }
        return shift.addcmul(Functional.layerNorm(x, null, null, EPS), factor);
    }

    @Override
    public void forEachTensor(Consumer<Tensor> action) {
        action.accept(shift);
        action.accept(scale);
    }
}
