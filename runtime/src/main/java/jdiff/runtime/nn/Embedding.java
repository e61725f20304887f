package jdiff.runtime.nn;

import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Functional;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.weights.Weights;

/** Rows of a table; ids [..] (int64, below {@code count}) → [.., C]. */
public final class Embedding {
    private final Tensor weight;

    public Embedding(Weights w, long count, long channels) {
        this.weight = w.get("weight", count, channels);
    }

    public DType dtype() {
        return weight.dtype();
    }

    public Tensor forward(Tensor ids) {
        return Functional.embedding(weight, ids);
    }
}
