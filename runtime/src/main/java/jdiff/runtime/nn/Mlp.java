package jdiff.runtime.nn;

import jdiff.runtime.nn.Linear.Bias;
import jdiff.runtime.tensor.Functional;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.weights.Weights;

/** C → hidden, gelu-tanh, → C, with Diffusers' parameter names {@code net.0.proj} and {@code net.2}. */
public final class Mlp {
    private final Linear up;
    private final Linear down;

    public Mlp(Weights w, long channels, long hidden) {
        this.up = Linear.column(w.at("net.0.proj"), Bias.YES, channels, hidden);
        this.down = Linear.row(w.at("net.2"), Bias.YES, channels, hidden);
    }

    /** [B, S, C] → [B, S, C]. */
    public Tensor forward(Tensor x) {
        return Scope.tidy(() -> down.forward(Functional.geluTanh(up.forward(x))));
    }
}
