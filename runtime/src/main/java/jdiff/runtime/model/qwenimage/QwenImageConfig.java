package jdiff.runtime.model.qwenimage;

import java.util.Arrays;
import java.util.Set;
import jdiff.runtime.config.Config;
import jdiff.runtime.fault.FaultException;

/**
 * Sizes of a {@code QwenImageTransformer2DModel}.
 *
 * @param inChannels channels of a packed image token
 * @param outChannels latent channels; a predicted token has {@code patchSize² · outChannels}
 * @param jointAttentionDim channels of a text state
 * @param axesDimsRope channels of a head turned by the frame, row and column of a token
 */
public record QwenImageConfig(
        int patchSize,
        int inChannels,
        int outChannels,
        int numLayers,
        int attentionHeadDim,
        int numAttentionHeads,
        int jointAttentionDim,
        int[] axesDimsRope) {
    private static final int MAX = 1 << 20;
    private static final Set<String> KNOWN = Set.of(
            "patch_size",
            "in_channels",
            "out_channels",
            "num_layers",
            "attention_head_dim",
            "num_attention_heads",
            "joint_attention_dim",
            "axes_dims_rope",
            "guidance_embeds",
            "zero_cond_t",
            "use_additional_t_cond",
            "use_layer3d_rope");

    public QwenImageConfig {
        if (axesDimsRope.length != 3 || Arrays.stream(axesDimsRope).anyMatch(d -> d <= 0 || d % 2 != 0)) {
            throw new IllegalArgumentException(
                    "axes_dims_rope must be three positive even numbers, not " + Arrays.toString(axesDimsRope));
        }
        if (Arrays.stream(axesDimsRope).sum() != attentionHeadDim) {
            throw new IllegalArgumentException("axes_dims_rope " + Arrays.toString(axesDimsRope)
                    + " must add up to attention_head_dim " + attentionHeadDim);
        }
    }

    /** Reads the component's {@code config.json}; absent keys have the defaults of the published model. */
    public static QwenImageConfig read(Config c) throws FaultException {
        for (String key :
                new String[] {"guidance_embeds", "zero_cond_t", "use_additional_t_cond", "use_layer3d_rope"}) {
            c.requireValue(key, false);
        }
        c.requireKnown(KNOWN);
        try {
            return new QwenImageConfig(
                    c.positive("patch_size", 2, MAX),
                    c.positive("in_channels", 64, MAX),
                    c.positive("out_channels", 16, MAX),
                    c.positive("num_layers", 60, 10_000),
                    c.positive("attention_head_dim", 128, MAX),
                    c.positive("num_attention_heads", 24, MAX),
                    c.positive("joint_attention_dim", 3584, MAX),
                    c.integers("axes_dims_rope", 16, 56, 56));
        } catch (IllegalArgumentException e) {
            throw c.error("axes_dims_rope", String.valueOf(e.getMessage()));
        }
    }

    /** K: channels of the residual streams. */
    public int innerDim() {
        return numAttentionHeads * attentionHeadDim;
    }
}
