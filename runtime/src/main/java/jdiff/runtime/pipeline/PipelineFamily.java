package jdiff.runtime.pipeline;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a model family lets its user ask. Known from {@code model_index.json} alone, so that requests are checked before anything
 * is loaded.
 *
 * @param name as users know it, for instance {@code Qwen-Image}
 * @param className {@code _class_name} in {@code model_index.json}
 * @param options that it accepts
 * @param defaults of those options that always have a value, except the seed
 * @param review throws IllegalArgumentException for a complete request that no model of the family can make; returns what its
 *     user should know of any other: options without effect, a size that is rounded
 */
public record PipelineFamily(
        String name, String className, Set<RequestOption> options, Map<RequestOption, Object> defaults, Review review) {
    /** Looks at a complete request before anything is made. */
    @FunctionalInterface
    public interface Review {
        List<String> of(GenerationRequest complete);
    }

    public PipelineFamily {
        options = Set.copyOf(options);
        defaults = Map.copyOf(new EnumMap<>(defaults));
    }

    /**
     * The request with the family's defaults.
     *
     * @throws IllegalArgumentException if it has an option that the family lacks, or asks for what the family cannot make
     */
    public GenerationRequest complete(GenerationRequest request) {
        for (RequestOption option : request.options().keySet()) {
            if (!options.contains(option)) {
                throw new IllegalArgumentException(name + " has no option " + option.key() + "; it has "
                        + options.stream().sorted().map(RequestOption::key).collect(Collectors.joining(", ")));
            }
        }
        GenerationRequest complete = withSteps(request).withDefaults(defaults);
        review.of(complete);
        return complete;
    }

    /** What the user of a complete request should know before it is made; mostly nothing. */
    public List<String> notes(GenerationRequest complete) {
        return review.of(complete);
    }

    /** With as many steps as there are sigmas. */
    private static GenerationRequest withSteps(GenerationRequest request) {
        List<Double> sigmas = request.numbers(RequestOption.SIGMAS);
        if (sigmas == null) {
            return request;
        }
        if (request.has(RequestOption.NUM_INFERENCE_STEPS)
                && request.integer(RequestOption.NUM_INFERENCE_STEPS) != sigmas.size()) {
            throw new IllegalArgumentException("sigmas has " + sigmas.size() + " values, but num_inference_steps is "
                    + request.integer(RequestOption.NUM_INFERENCE_STEPS)
                    + "; give one value for each step, or leave num_inference_steps away");
        }
        return request.withNumInferenceSteps(sigmas.size());
    }
}
