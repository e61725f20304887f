package jdiff.runtime.pipeline;

import java.util.List;

/** The loaded components of one model and how they make pictures from prompts. Used by one thread at a time. */
public interface Pipeline extends AutoCloseable {
    PipelineFamily family();

    /**
     * Makes the pictures of one prompt, each in a forward of its own, so that every one depends on its prompt, options and seed
     * alone. Picture j has seed + j; without a seed one is drawn.
     *
     * @throws IllegalArgumentException if the request does not fit the model
     */
    List<Output> generate(GenerationRequest request, StepListener listener);

    default List<Output> generate(GenerationRequest request) {
        return generate(request, StepListener.NONE);
    }

    /**
     * Makes the pictures of several prompts in one forward per step. They must agree in everything but prompt, negative prompt
     * and seed; results equal those of {@link #generate} up to rounding. In the order of the requests, then of their seeds.
     *
     * @throws IllegalArgumentException if the requests do not fit the model or each other
     */
    List<Output> generateBatch(List<GenerationRequest> requests, StepListener listener);

    /** Frees the weights. */
    @Override
    void close();
}
