package jdiff.runtime.model.qwen25vl;

import jdiff.runtime.nn.Linear;
import jdiff.runtime.nn.Linear.Bias;
import jdiff.runtime.nn.RmsNorm;
import jdiff.runtime.nn.SwiGlu;
import jdiff.runtime.tensor.Functional;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.weights.Weights;

/** Causal self-attention with grouped key-value heads, then SwiGLU, each behind an RMS norm. */
final class Qwen25VlLayer {
    private final RmsNorm inputNorm;
    private final RmsNorm postAttentionNorm;
    private final Linear q;
    private final Linear k;
    private final Linear v;
    private final Linear o;
    private final SwiGlu mlp;
    private final int headDim;

    Qwen25VlLayer(Qwen25VlConfig config, Weights w) {
        int c = config.hiddenSize();
        this.headDim = config.headDim();
        long kv = (long) config.numKeyValueHeads() * headDim;
        Weights attn = w.at("self_attn");
        this.inputNorm = new RmsNorm(w.at("input_layernorm"), c, config.rmsNormEps());
        this.postAttentionNorm = new RmsNorm(w.at("post_attention_layernorm"), c, config.rmsNormEps());
        this.q = Linear.column(attn.at("q_proj"), Bias.YES, c, c);
        this.k = Linear.column(attn.at("k_proj"), Bias.YES, c, kv);
        this.v = Linear.column(attn.at("v_proj"), Bias.YES, c, kv);
        this.o = Linear.row(attn.at("o_proj"), Bias.NO, c, c);
        this.mlp = new SwiGlu(w.at("mlp"), c, config.intermediateSize());
    }

    /** [B, S, C] → [B, S, C]. */
    Tensor forward(Tensor x, HalfRope rope) {
        Tensor attended = x.add(attend(inputNorm.forward(x), rope));
        return attended.add(mlp.forward(postAttentionNorm.forward(attended)));
    }

    private Tensor attend(Tensor x, HalfRope rope) {
        return Scope.tidy(() -> {
            Tensor queries = rope.rotate(heads(q.forward(x)));
            Tensor keys = rope.rotate(heads(k.forward(x)));
            Tensor out = Functional.scaledDotProductAttention(
                    queries, keys, heads(v.forward(x)), null, true, 1 / Math.sqrt(headDim), true);
            return o.forward(out.transpose(1, 2).reshape(x.size(0), x.size(1), -1));
        });
    }

    private Tensor heads(Tensor x) {
        return x.view(x.size(0), x.size(1), -1, headDim).transpose(1, 2); // [B, H, S, D]
    }
}
