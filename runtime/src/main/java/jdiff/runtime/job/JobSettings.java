package jdiff.runtime.job;

import java.util.Map;
import java.util.OptionalLong;
import jdiff.runtime.pipeline.GenerationRequest;
import jdiff.runtime.pipeline.PipelineFamily;
import jdiff.runtime.pipeline.RequestOption;

/**
 * What holds for all prompts of a job.
 *
 * @param model as the user named it
 * @param dtype as asked, in its canonical form
 * @param options for prompts that do not say otherwise, without the seed
 * @param seed of the first picture of the first prompt, if the user gave one
 * @param names how files are named
 * @param embedPrompt whether prompt texts may stand inside the pictures
 */
public record JobSettings(
        String model,
        PipelineFamily family,
        String dtype,
        Map<RequestOption, Object> options,
        OptionalLong seed,
        OutputNames names,
        boolean embedPrompt) {
    public JobSettings {
        options = Map.copyOf(options);
        if (options.containsKey(RequestOption.SEED)) {
            throw new IllegalArgumentException("the seed of a job is no option of its prompts");
        }
    }

    /**
     * The prompt with everything that it does not say itself. Without a seed of its own, its first one is
     * {@code baseSeed + index * pictures}.
     *
     * @throws IllegalArgumentException if it asks for what the family lacks, or its seeds leave the range
     */
    public PromptJob job(PromptLine.Good line, long baseSeed) {
        GenerationRequest request = family.complete(line.request().withDefaults(options));
        PromptJob open = new PromptJob(line.index(), request);
        int images = open.numImages();
        try {
            long first = request.has(RequestOption.SEED)
                    ? open.seed()
                    : Math.addExact(baseSeed, Math.multiplyExact((long) line.index(), images));
            Math.addExact(first, images - 1L); // the last one must exist too
            return new PromptJob(line.index(), request.withSeed(first));
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    "the seeds of " + images + " picture(s) of this prompt go beyond 2^63-1; give a smaller seed", e);
        }
    }
}
