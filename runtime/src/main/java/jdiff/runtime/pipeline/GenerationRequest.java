package jdiff.runtime.pipeline;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One prompt and what was asked of it. What is not asked has the default of the pipeline's family. Values have been checked
 * alone; whether they fit together and fit a model is checked by the pipeline.
 */
public final class GenerationRequest {
    private final String prompt;
    private final Map<RequestOption, Object> options;

    private GenerationRequest(String prompt, Map<RequestOption, Object> options) {
        this.prompt = Objects.requireNonNull(prompt);
        this.options = Collections.unmodifiableMap(options);
    }

    public static GenerationRequest of(String prompt) {
        return new GenerationRequest(prompt, new EnumMap<>(RequestOption.class));
    }

    /**
     * The same request with one option set.
     *
     * @throws IllegalArgumentException if the value is not one of this option
     */
    public GenerationRequest with(RequestOption option, Object value) {
        Map<RequestOption, Object> changed = new EnumMap<>(RequestOption.class);
        changed.putAll(options);
        changed.put(option, option.parse(value));
        return new GenerationRequest(prompt, changed);
    }

    public GenerationRequest withSeed(long seed) {
        return with(RequestOption.SEED, seed);
    }

    public GenerationRequest withSize(int height, int width) {
        return with(RequestOption.HEIGHT, height).with(RequestOption.WIDTH, width);
    }

    public GenerationRequest withNumInferenceSteps(int steps) {
        return with(RequestOption.NUM_INFERENCE_STEPS, steps);
    }

    public GenerationRequest withNegativePrompt(String negativePrompt) {
        return with(RequestOption.NEGATIVE_PROMPT, negativePrompt);
    }

    public GenerationRequest withTrueCfgScale(double scale) {
        return with(RequestOption.TRUE_CFG_SCALE, scale);
    }

    /**
     * The same request; options that it lacks are taken from {@code defaults}, given as the result of {@link #options}. Sigmas say
     * how many steps there are: a request with one of the two takes no default of the other.
     */
    public GenerationRequest withDefaults(Map<RequestOption, Object> defaults) {
        Map<RequestOption, Object> merged = new EnumMap<>(RequestOption.class);
        merged.putAll(defaults);
        if (has(RequestOption.SIGMAS)) {
            merged.remove(RequestOption.NUM_INFERENCE_STEPS);
        } else if (has(RequestOption.NUM_INFERENCE_STEPS)) {
            merged.remove(RequestOption.SIGMAS);
        }
        merged.putAll(options);
        return new GenerationRequest(prompt, merged);
    }

    public String prompt() {
        return prompt;
    }

    /** The options that were set, in the order of {@link RequestOption}; unmodifiable. */
    public Map<RequestOption, Object> options() {
        return options;
    }

    public boolean has(RequestOption option) {
        return options.containsKey(option);
    }

    public int integer(RequestOption option) {
        return (Integer) required(option);
    }

    public double number(RequestOption option) {
        return (Double) required(option);
    }

    public long longInteger(RequestOption option) {
        return (Long) required(option);
    }

    /** A text, or null if it was not set. */
    public @Nullable String text(RequestOption option) {
        return (String) options.get(option);
    }

    /** Numbers, or null if they were not set. */
    @SuppressWarnings("unchecked") // RequestOption.parse made the list
    public @Nullable List<Double> numbers(RequestOption option) {
        return (List<Double>) options.get(option);
    }

    public OutputType outputType() {
        return (OutputType) required(RequestOption.OUTPUT_TYPE);
    }

    private Object required(RequestOption option) {
        Object value = options.get(option);
        if (value == null) {
            throw new IllegalStateException(option.key() + " has no value and no default");
        }
        return value;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof GenerationRequest that && prompt.equals(that.prompt) && options.equals(that.options);
    }

    @Override
    public int hashCode() {
        return Objects.hash(prompt, options);
    }

    /** The options, without the prompt's text. */
    @Override
    public String toString() {
        return "GenerationRequest" + options;
    }
}
