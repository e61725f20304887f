package jdiff.runtime.job;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import jdiff.runtime.pipeline.GenerationRequest;
import jdiff.runtime.pipeline.OutputType;
import jdiff.runtime.pipeline.PipelineFamily;
import jdiff.runtime.pipeline.RequestOption;

/** A family and settings for tests. */
final class Jobs {
    static final PipelineFamily FAMILY = family();

    private Jobs() {}

    private static PipelineFamily family() {
        Map<RequestOption, Object> defaults = new EnumMap<>(RequestOption.class);
        defaults.put(RequestOption.HEIGHT, 4);
        defaults.put(RequestOption.WIDTH, 5);
        defaults.put(RequestOption.NUM_INFERENCE_STEPS, 3);
        defaults.put(RequestOption.NUM_IMAGES_PER_PROMPT, 1);
        defaults.put(RequestOption.OUTPUT_TYPE, OutputType.PNG);
        return new PipelineFamily(
                "Fake",
                "FakePipeline",
                EnumSet.complementOf(EnumSet.of(RequestOption.GUIDANCE_SCALE)),
                defaults,
                request -> List.of());
    }

    static JobSettings settings(OptionalLong seed) {
        return new JobSettings("models/fake", FAMILY, "auto", Map.of(), seed, OutputNames.DEFAULT, false);
    }

    static PromptJob job(int index, GenerationRequest request, long baseSeed) {
        return settings(OptionalLong.empty()).job(new PromptLine.Good(index, request), baseSeed);
    }
}
