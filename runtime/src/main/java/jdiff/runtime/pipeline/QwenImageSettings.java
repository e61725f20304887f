package jdiff.runtime.pipeline;

import java.util.List;
import java.util.function.Consumer;
import jdiff.runtime.model.qwenimage.GridShape;
import org.jspecify.annotations.Nullable;

/**
 * What a request means for Qwen-Image, complete and checked.
 *
 * @param height pixels, a multiple of 16
 * @param width pixels, a multiple of 16
 * @param sigmas one for each step, or none for evenly spaced ones
 * @param guided whether the negative branch is evaluated
 */
record QwenImageSettings(
        int height,
        int width,
        int numInferenceSteps,
        double trueCfgScale,
        boolean guided,
        int numImagesPerPrompt,
        int maxSequenceLength,
        @Nullable List<Double> sigmas,
        OutputType outputType) {
    /** Pixels of a token's side: the decoder's factor 8 times the patch of 2. */
    static final int TOKEN_PIXELS = 16;

    /**
     * @param request complete: with the family's defaults
     * @param notes told what the user should know
     * @throws IllegalArgumentException if the request cannot be made by this family
     */
    static QwenImageSettings of(GenerationRequest request, Consumer<String> notes) {
        List<Double> sigmas = request.numbers(RequestOption.SIGMAS);
        requireFalling(sigmas == null ? List.of() : sigmas);
        double scale = request.number(RequestOption.TRUE_CFG_SCALE);
        boolean negative = request.text(RequestOption.NEGATIVE_PROMPT) != null;
        if (negative && scale <= 1) {
            notes.accept("the negative prompt is ignored, since true_cfg_scale " + scale + " is not above 1");
        } else if (!negative && scale > 1) {
            notes.accept("no guidance, since there is no negative prompt (one of a single space is enough)");
        }
        if (request.has(RequestOption.GUIDANCE_SCALE)) {
            notes.accept("guidance_scale is ignored: Qwen-Image has no embedded guidance; use true_cfg_scale");
        }
        return new QwenImageSettings(
                floored("height", request.integer(RequestOption.HEIGHT), notes),
                floored("width", request.integer(RequestOption.WIDTH), notes),
                sigmas == null ? request.integer(RequestOption.NUM_INFERENCE_STEPS) : sigmas.size(),
                scale,
                negative && scale > 1,
                request.integer(RequestOption.NUM_IMAGES_PER_PROMPT),
                request.integer(RequestOption.MAX_SEQUENCE_LENGTH),
                sigmas,
                request.outputType());
    }

    private static void requireFalling(List<Double> sigmas) {
        double last = 1;
        for (double sigma : sigmas) {
            if (!(sigma > 0 && sigma <= last)) {
                throw new IllegalArgumentException(
                        "sigmas must fall from at most 1 to above 0 (which is added at the end), but " + sigma
                                + (sigma <= 0 ? " is not above 0" : " follows " + last));
            }
            last = sigma;
        }
    }

    int rows() {
        return height / TOKEN_PIXELS;
    }

    int columns() {
        return width / TOKEN_PIXELS;
    }

    GridShape grid() {
        return new GridShape(1, rows(), columns());
    }

    private static int floored(String side, int pixels, Consumer<String> notes) {
        if (pixels < TOKEN_PIXELS) {
            throw new IllegalArgumentException(side + " " + pixels + " is too small; Qwen-Image needs at least "
                    + TOKEN_PIXELS + " pixels, in steps of " + TOKEN_PIXELS);
        }
        int floored = pixels - pixels % TOKEN_PIXELS;
        if (floored != pixels) {
            notes.accept(side + " " + pixels + " is not a multiple of " + TOKEN_PIXELS + ": " + floored + " is used");
        }
        return floored;
    }
}
