package jdiff.runtime.pipeline;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * What a model family lets its user ask. Known from {@code model_index.json} alone, so that requests are checked before anything
 * is loaded.
 *
 * @param name as users know it, for instance {@code Qwen-Image}
 * @param className {@code _class_name} in {@code model_index.json}
 * @param options that it accepts
 * @param defaults of those options that always have a value, except the seed
 * @param limits throws IllegalArgumentException for a complete request that no model of the family can make
 */
public record PipelineFamily(
        String name,
        String className,
        Set<RequestOption> options,
        Map<RequestOption, Object> defaults,
        Consumer<GenerationRequest> limits) {
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
        GenerationRequest complete = request.withDefaults(defaults);
        limits.accept(complete);
        return complete;
    }
}
