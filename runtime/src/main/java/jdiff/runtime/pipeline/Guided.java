package jdiff.runtime.pipeline;

import java.util.function.Consumer;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.tensor.TensorGroup;
import org.jspecify.annotations.Nullable;

/**
 * The two branches of classifier-free guidance.
 *
 * @param positive what the picture should show
 * @param negative what it should not; none switches guidance off
 */
public record Guided(Conditioning positive, @Nullable Conditioning negative) implements TensorGroup {
    /** Each prompt {@code times} times in a row. */
    Guided repeat(int times) {
        return new Guided(positive.repeat(times), negative == null ? null : negative.repeat(times));
    }

    @Override
    public void forEachTensor(Consumer<Tensor> action) {
        positive.forEachTensor(action);
        if (negative != null) {
            negative.forEachTensor(action);
        }
    }
}
