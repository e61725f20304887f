package jdiff.runtime.model.qwenimage;

import java.util.List;
import jdiff.runtime.nn.Attention;
import jdiff.runtime.nn.Linear;
import jdiff.runtime.nn.Modulation;
import jdiff.runtime.nn.RmsNorm;
import jdiff.runtime.nn.Rope;
import jdiff.runtime.nn.Stack;
import jdiff.runtime.nn.TimestepEmbedding;
import jdiff.runtime.nn.Tokens;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Functional;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.weights.Weights;
import org.jspecify.annotations.Nullable;

/** Predicts the velocity of packed image tokens from text states and the timestep ({@code QwenImageTransformer2DModel}). */
public final class QwenImageTransformer {
    private static final double EPS = 1e-6;
    private static final double ROPE_THETA = 10_000;
    private static final double TIMESTEP_SCALE = 1000;

    private final QwenImageConfig config;
    private final Linear imgIn;
    private final RmsNorm txtNorm;
    private final Linear txtIn;
    private final TimestepEmbedding timestepEmbedder;
    private final Stack<QwenImageBlock> blocks;
    private final Linear normOut;
    private final Linear projOut;

    public QwenImageTransformer(QwenImageConfig config, Attention attention, Weights w) {
        int k = config.innerDim();
        this.config = config;
        this.imgIn = Linear.of(w.at("img_in"), config.inChannels(), k);
        this.txtNorm = new RmsNorm(w.at("txt_norm"), config.jointAttentionDim(), EPS);
        this.txtIn = Linear.of(w.at("txt_in"), config.jointAttentionDim(), k);
        this.timestepEmbedder = new TimestepEmbedding(w.at("time_text_embed.timestep_embedder"), k, TIMESTEP_SCALE);
        this.blocks = Stack.of(
                w.device(),
                w.at("transformer_blocks"),
                config.numLayers(),
                (block, i) -> new QwenImageBlock(config, attention, block));
        this.normOut = Linear.modulation(w.at("norm_out.linear"), k, 2L * k);
        this.projOut =
                Linear.of(w.at("proj_out"), k, (long) config.patchSize() * config.patchSize() * config.outChannels());
    }

    /** The dtype in which latents and timestep enter. */
    public DType dtype() {
        return imgIn.dtype();
    }

    public QwenImageConfig config() {
        return config;
    }

    /**
     * One evaluation of the whole net.
     *
     * @param image packed latents [B, L, 64] with (frame, row, column) of each token
     * @param text states [B, S, C] with the same position on all three axes
     * @param textMask bool [B, S], true = a real token; none if all are
     * @param timestep [B], from 0 to 1
     * @return velocity [B, L, 64]
     */
    public Tensor forward(Tokens image, Tokens text, @Nullable Tensor textMask, Tensor timestep) {
        return Scope.tidy(() -> {
            Tensor temb = timestepEmbedder.forward(timestep.to(dtype()));
            Tensor activation = Functional.silu(temb); // every modulation begins with it
            Rope rope = Rope.of(
                    Tensor.cat(List.of(text.positions(), image.positions()), 0), config.axesDimsRope(), ROPE_THETA);
            Tensor keyMask =
                    textMask == null ? null : jointMask(textMask, image.x().size(1));
            Streams start = new Streams(txtIn.forward(txtNorm.forward(text.x())), imgIn.forward(image.x()));
            BlockInputs inputs = new BlockInputs(activation, rope, keyMask);
            Streams end = blocks.fold(start, inputs, QwenImageBlock::forward);
            return projOut.forward(finalNorm(activation).normalise(end.img()));
        });
    }

    /** Scale comes first here, unlike in the blocks. */
    private Modulation finalNorm(Tensor activation) {
        Tensor both = normOut.forward(activation).unsqueeze(1); // [B, 1, 2K]
        long k = config.innerDim();
        return new Modulation(both.narrow(-1, k, k), both.narrow(-1, 0, k));
    }

    private static Tensor jointMask(Tensor textMask, long numImageTokens) {
        Tensor visible = Tensor.full(1, DType.BOOL, textMask.device(), textMask.size(0), numImageTokens);
        return Tensor.cat(List.of(textMask, visible), 1);
    }
}
