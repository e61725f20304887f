package jdiff.runtime.nn;

import java.util.List;
import java.util.function.Consumer;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.tensor.TensorGroup;

/** Queries, keys and values of this rank's heads, each [B, S, H, D]. */
public record Qkv(Tensor q, Tensor k, Tensor v) implements TensorGroup {
    /** The tokens of {@code first}, then those of {@code second}. */
    public static Qkv concat(Qkv first, Qkv second) {
        return new Qkv(
                Tensor.cat(List.of(first.q, second.q), 1),
                Tensor.cat(List.of(first.k, second.k), 1),
                Tensor.cat(List.of(first.v, second.v), 1));
    }

    public Qkv rotate(Rope rope) {
        return new Qkv(rope.rotate(q), rope.rotate(k), v);
    }

    @Override
    public void forEachTensor(Consumer<Tensor> action) {
        action.accept(q);
        action.accept(k);
        action.accept(v);
    }
}
