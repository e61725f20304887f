package jdiff.runtime.model.qwen25vl;

import java.util.List;
import jdiff.runtime.nn.Embedding;
import jdiff.runtime.nn.RmsNorm;
import jdiff.runtime.nn.Stack;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.weights.Weights;

/** States of the last layer, after the final norm, of Qwen2.5-VL's language part. */
public final class Qwen25VlTextEncoder {
    /** Beginnings of names that a checkpoint of the whole model has besides: the vision tower and the output head. */
    public static final List<String> UNREAD = List.of("visual.", "model.visual.", "lm_head.");

    private final Qwen25VlConfig config;
    private final Embedding embedTokens;
    private final Stack<Qwen25VlLayer> layers;
    private final RmsNorm norm;

    /**
     * Takes all parameters from the cursor.
     *
     * @param w at the language model: where {@code embed_tokens}, {@code layers} and {@code norm} are
     */
    public Qwen25VlTextEncoder(Qwen25VlConfig config, Weights w) {
        this.config = config;
        this.embedTokens = new Embedding(w.at("embed_tokens"), config.vocabSize(), config.hiddenSize());
        this.layers = Stack.of(
                w.device(), w.at("layers"), config.numHiddenLayers(), (layer, i) -> new Qwen25VlLayer(config, layer));
        this.norm = new RmsNorm(w.at("norm"), config.hiddenSize(), config.rmsNormEps());
    }

    /** Newer files store the language part under {@code model.language_model.}, older ones under {@code model.}. */
    public static String currentName(String stored) {
        String newer = "model.language_model.";
        return stored.startsWith(newer) ? "model." + stored.substring(newer.length()) : stored;
    }

    public DType dtype() {
        return embedTokens.dtype();
    }

    /** ids int64 [B, S], all of them real tokens → [B, S, C]. */
    public Tensor forward(Tensor ids) {
        return Scope.tidy(() -> {
            Tensor x = embedTokens.forward(ids);
            HalfRope rope = HalfRope.of(ids.size(1), config.headDim(), config.ropeTheta(), dtype(), x.device());
            return norm.forward(layers.fold(x, rope, Qwen25VlLayer::forward));
        });
    }
}
