package jdiff.runtime.model.qwenimage;

import jdiff.runtime.nn.Attention;
import jdiff.runtime.nn.Heads;
import jdiff.runtime.nn.Linear;
import jdiff.runtime.nn.Linear.Bias;
import jdiff.runtime.nn.Mlp;
import jdiff.runtime.nn.Qkv;
import jdiff.runtime.nn.Rope;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.weights.Weights;
import org.jspecify.annotations.Nullable;

/** Image and text tokens keep separate weights and meet in attention. */
final class QwenImageBlock {
    private static final double EPS = 1e-6;
    private static final double MAX_FLOAT16 = 65504;
    private static final Heads.Names IMAGE = new Heads.Names("to_q", "to_k", "to_v", "norm_q", "norm_k");
    private static final Heads.Names TEXT =
            new Heads.Names("add_q_proj", "add_k_proj", "add_v_proj", "norm_added_q", "norm_added_k");

    private final StreamModulation imgMod;
    private final StreamModulation txtMod;
    private final Heads imgHeads;
    private final Heads txtHeads;
    private final Attention attention;
    private final Linear toOut;
    private final Linear toAddOut;
    private final Mlp imgMlp;
    private final Mlp txtMlp;

    QwenImageBlock(QwenImageConfig config, Attention attention, Weights w) {
        int k = config.innerDim();
        int heads = config.numAttentionHeads();
        int headDim = config.attentionHeadDim();
        Weights attn = w.at("attn");
        this.imgMod = new StreamModulation(w.at("img_mod"), k);
        this.txtMod = new StreamModulation(w.at("txt_mod"), k);
        this.imgHeads = new Heads(attn, IMAGE, heads, headDim, EPS);
        this.txtHeads = new Heads(attn, TEXT, heads, headDim, EPS);
        this.attention = attention;
        this.toOut = Linear.row(attn.at("to_out.0"), Bias.YES, k, k);
        this.toAddOut = Linear.row(attn.at("to_add_out"), Bias.YES, k, k);
        this.imgMlp = new Mlp(w.at("img_mlp"), k, 4L * k);
        this.txtMlp = new Mlp(w.at("txt_mlp"), k, 4L * k);
    }

    Streams forward(Streams s, BlockInputs inputs) {
        StreamModulation.Both im = imgMod.forward(inputs.activation());
        StreamModulation.Both tm = txtMod.forward(inputs.activation());
        Streams joint = attend(
                new Streams(tm.attention().normalise(s.txt()), im.attention().normalise(s.img())),
                inputs.rope(),
                inputs.keyMask());
        Tensor txt = tm.attention().join(s.txt(), joint.txt());
        Tensor img = im.attention().join(s.img(), joint.img());
        txt = tm.mlp().join(txt, txtMlp.forward(tm.mlp().normalise(txt)));
        img = im.mlp().join(img, imgMlp.forward(im.mlp().normalise(img)));
        return new Streams(clip(txt), clip(img));
    }

    private Streams attend(Streams s, Rope rope, @Nullable Tensor keyMask) {
        return Scope.tidy(() -> {
            Qkv qkv = Qkv.concat(txtHeads.forward(s.txt()), imgHeads.forward(s.img()));
            Tensor out = attention.forward(qkv.rotate(rope), keyMask); // [B, S + L, H, D]
            long numText = s.txt().size(1);
            Tensor flat = out.reshape(out.size(0), out.size(1), -1);
            return new Streams(
                    toAddOut.forward(flat.narrow(1, 0, numText)),
                    toOut.forward(flat.narrow(1, numText, flat.size(1) - numText)));
        });
    }

    /** Residual streams may leave float16; infinities would spread, so they are held at its ends, as in Diffusers. */
    private static Tensor clip(Tensor x) {
        return x.dtype() == DType.F16 ? x.clamp(-MAX_FLOAT16, MAX_FLOAT16) : x;
    }
}
