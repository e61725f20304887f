package jdiff.runtime.model.qwen25vl;

import jdiff.runtime.config.Config;
import jdiff.runtime.fault.FaultException;

/**
 * Sizes of the language part of a {@code Qwen2_5_VLForConditionalGeneration}.
 *
 * @param hiddenSize C, channels of a state
 * @param ropeTheta base of the rotary frequencies
 */
public record Qwen25VlConfig(
        int vocabSize,
        int hiddenSize,
        int intermediateSize,
        int numHiddenLayers,
        int numAttentionHeads,
        int numKeyValueHeads,
        double rmsNormEps,
        double ropeTheta) {
    private static final int MAX = 1 << 24;

    public Qwen25VlConfig {
        if (hiddenSize % numAttentionHeads != 0 || hiddenSize / numAttentionHeads % 2 != 0) {
            throw new IllegalArgumentException("hidden_size " + hiddenSize
                    + " must be an even multiple of num_attention_heads " + numAttentionHeads);
        }
        if (numAttentionHeads % numKeyValueHeads != 0) {
            throw new IllegalArgumentException("num_attention_heads " + numAttentionHeads
                    + " must be a multiple of num_key_value_heads " + numKeyValueHeads);
        }
    }

    /**
     * Reads the component's {@code config.json}: the text model's keys lie in {@code text_config} or, in older files, at the top.
     * Keys of the vision tower and of training are not looked at.
     */
    public static Qwen25VlConfig read(Config c) throws FaultException {
        Config text = c.isObject("text_config") ? c.object("text_config") : c;
        text.requireValue("hidden_act", "silu");
        text.requireValue("use_sliding_window", false);
        try {
            int heads = text.positive("num_attention_heads", 28, MAX);
            return new Qwen25VlConfig(
                    text.positive("vocab_size", 152_064, MAX),
                    text.positive("hidden_size", 3584, MAX),
                    text.positive("intermediate_size", 18_944, MAX),
                    text.positive("num_hidden_layers", 28, 10_000),
                    heads,
                    text.positive("num_key_value_heads", heads, MAX),
                    text.positiveNumber("rms_norm_eps", 1e-6, 1),
                    ropeTheta(text));
        } catch (IllegalArgumentException e) {
            throw text.error("hidden_size", String.valueOf(e.getMessage()));
        }
    }

    private static double ropeTheta(Config text) throws FaultException {
        if (text.isObject("rope_parameters") && text.object("rope_parameters").has("rope_theta")) {
            return text.object("rope_parameters").positiveNumber("rope_theta", 1e6, 1e12);
        }
        return text.positiveNumber("rope_theta", 1e6, 1e12);
    }

    public int headDim() {
        return hiddenSize / numAttentionHeads;
    }
}
