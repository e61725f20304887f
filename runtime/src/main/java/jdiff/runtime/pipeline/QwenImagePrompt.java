package jdiff.runtime.pipeline;

import java.util.Arrays;
import jdiff.runtime.config.Shown;
import jdiff.runtime.model.qwen25vl.Qwen25VlTextEncoder;
import jdiff.runtime.nn.Seam;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.tokenizer.Tokenizer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** Turns a prompt into text states: chat template, tokenizer, text encoder. */
final class QwenImagePrompt {
    /** Qwen-Image was trained on states of this chat; the prompt is inserted as text, braces in it are data. */
    private static final String BEFORE =
            "<|im_start|>system\nDescribe the image by detailing the color, shape, size, texture, "
                    + "quantity, text, spatial relationships of the objects and background:<|im_end|>\n<|im_start|>user\n";

    private static final String AFTER = "<|im_end|>\n<|im_start|>assistant\n";

    /** States of the system turn, the same for every prompt, are not shown to the transformer. */
    private static final int DROPPED = 34;

    /** Tokens that the text encoder sees at most, without the dropped ones. */
    private static final int MAX_TOKENS = 1024;

    /** Characters in a warning: enough to know the prompt again, and to find the place where it was cut. */
    private static final int MAX_NAME = 40;

    private static final int MAX_SHOWN = 200;

    private static final Logger LOG = LogManager.getLogger();

    private final Tokenizer tokenizer;
    private final OnDemand<Qwen25VlTextEncoder> encoder;
    private final Device device;
    private final boolean freed;

    /**
     * @param device of the encoder
     * @param freed whether the encoder is freed when a request {@link #isEncoded}
     */
    QwenImagePrompt(Tokenizer tokenizer, OnDemand<Qwen25VlTextEncoder> encoder, Device device, boolean freed) {
        this.tokenizer = tokenizer;
        this.encoder = encoder;
        this.device = device;
        this.freed = freed;
    }

    /**
     * The states of one prompt, encoded alone and without padding; [1, S, C] with S at most {@code maxSequenceLength}, on the
     * encoder's device. A longer prompt is cut with a warning that names the words that were dropped.
     */
    Tensor encode(String prompt, int maxSequenceLength) {
        String text = BEFORE + prompt + AFTER;
        int[] ids = tokenizer.encode(text);
        int kept = Math.min(ids.length, MAX_TOKENS + DROPPED);
        int used = Math.min(kept, DROPPED + maxSequenceLength);
        warnIfCut(prompt, ids.length, used);
        return Scope.tidy(() -> {
            long[] input = Arrays.stream(ids, 0, kept).asLongStream().toArray();
            Tensor onDevice = new Seam(Device.CPU, device).cross(Tensor.of(input, 1, kept));
            return encoder.get().forward(onDevice).narrow(1, DROPPED, used - DROPPED);
        });
    }

    /** No text of this request is left to encode. */
    void isEncoded() {
        if (freed) {
            encoder.release();
        }
    }

    /** Where the states are. */
    Device device() {
        return device;
    }

    void close() {
        tokenizer.close();
        encoder.close();
    }

    private void warnIfCut(String prompt, int total, int used) {
        int closing = tokenizer.encode(AFTER).length;
        if (total - closing > used) {
            String rest = tokenizer.textFrom(BEFORE + prompt + AFTER, used);
            LOG.warn(
                    "the prompt \"{}\" has {} tokens, {} are used; dropped: \"{}\"",
                    Shown.cut(prompt, MAX_NAME),
                    total - closing - DROPPED,
                    used - DROPPED,
                    Shown.cut(rest.substring(0, Math.max(0, rest.length() - AFTER.length())), MAX_SHOWN));
        }
    }
}
