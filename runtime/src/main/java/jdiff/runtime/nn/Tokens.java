package jdiff.runtime.nn;

import java.util.function.Consumer;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.tensor.TensorGroup;

/**
 * Tokens that carry their positions, so that any slice of them can be computed on its own.
 *
 * @param x [B, S, C]
 * @param positions float32 [S, A], one column for each axis of the rotary embedding
 */
public record Tokens(Tensor x, Tensor positions) implements TensorGroup {
    public Tokens {
        if (x.size(1) != positions.size(0)) {
            throw new IllegalArgumentException(x + " tokens do not match positions " + positions);
        }
    }

    @Override
    public void forEachTensor(Consumer<Tensor> action) {
        action.accept(x);
        action.accept(positions);
    }
}
