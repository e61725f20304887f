package jdiff.runtime.nn;

import jdiff.runtime.nn.Linear.Bias;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.weights.Weights;

/** Projects one stream of tokens to queries, keys and values, and normalises queries and keys per head. */
public final class Heads {
    private final Linear q;
    private final Linear k;
    private final Linear v;
    private final RmsNorm normQ;
    private final RmsNorm normK;
    private final int headDim;

    /** Names of the parameters of one stream under an attention's cursor. */
    public record Names(String q, String k, String v, String normQ, String normK) {}

    public Heads(Weights w, Names names, int numHeads, int headDim, double eps) {
        long channels = (long) numHeads * headDim;
        this.q = Linear.column(w.at(names.q()), Bias.YES, channels, channels);
        this.k = Linear.column(w.at(names.k()), Bias.YES, channels, channels);
        this.v = Linear.column(w.at(names.v()), Bias.YES, channels, channels);
        this.normQ = new RmsNorm(w.at(names.normQ()), headDim, eps);
        this.normK = new RmsNorm(w.at(names.normK()), headDim, eps);
        this.headDim = headDim;
    }

    /** [B, S, C] → three of [B, S, H, D]. */
    public Qkv forward(Tensor x) {
        return new Qkv(normQ.forward(split(q.forward(x))), normK.forward(split(k.forward(x))), split(v.forward(x)));
    }

    private Tensor split(Tensor x) {
        return x.view(x.size(0), x.size(1), -1, headDim);
    }
}
