package jdiff.runtime.job;

import java.util.List;
import jdiff.runtime.pipeline.GenerationRequest;
import jdiff.runtime.pipeline.OutputType;
import jdiff.runtime.pipeline.RequestOption;

/**
 * What is to be made of one prompt, with nothing left open: every option of the family has its value.
 *
 * @param request its seed is that of the first picture, picture j has seed + j
 */
public record PromptJob(int index, GenerationRequest request) {
    public int numImages() {
        return request.has(RequestOption.NUM_IMAGES_PER_PROMPT)
                ? request.integer(RequestOption.NUM_IMAGES_PER_PROMPT)
                : 1;
    }

    public long seed() {
        return request.longInteger(RequestOption.SEED);
    }

    /** Denoising steps of all its pictures together. */
    public int numSteps() {
        List<Double> sigmas = request.numbers(RequestOption.SIGMAS);
        int steps = sigmas == null ? request.integer(RequestOption.NUM_INFERENCE_STEPS) : sigmas.size();
        return steps * numImages();
    }

    public OutputType outputType() {
        return request.outputType();
    }
}
