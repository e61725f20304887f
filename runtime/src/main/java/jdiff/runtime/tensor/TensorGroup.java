package jdiff.runtime.tensor;

import java.util.function.Consumer;

/** Several tensors that live and die together: a result that {@link Scope} can move as a whole. */
@FunctionalInterface
public interface TensorGroup {
    /** Calls {@code action} with each tensor; the order does not matter. */
    void forEachTensor(Consumer<Tensor> action);
}
