package jdiff.runtime.nn;

import jdiff.runtime.nn.Linear.Bias;
import jdiff.runtime.tensor.Functional;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.weights.Weights;

/** down(silu(gate(x)) · up(x)), without biases, with Transformers' parameter names. */
public final class SwiGlu {
    private final Linear gate;
    private final Linear up;
    private final Linear down;

    public SwiGlu(Weights w, long channels, long hidden) {
        this.gate = Linear.column(w.at("gate_proj"), Bias.NO, channels, hidden);
        this.up = Linear.column(w.at("up_proj"), Bias.NO, channels, hidden);
        this.down = Linear.row(w.at("down_proj"), Bias.NO, channels, hidden);
    }

    /** [B, S, C] → [B, S, C]. */
    public Tensor forward(Tensor x) {
        return Scope.tidy(() -> down.forward(Functional.silu(gate.forward(x)).mul(up.forward(x))));
    }
}
