package jdiff.runtime.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PipelineFamilyTest {
    private static final GenerationRequest REQUEST = GenerationRequest.of("a cat");

    private static GenerationRequest complete(GenerationRequest request) {
        return QwenImagePipeline.FAMILY.complete(request);
    }

    @Test
    void sigmas_say_how_many_steps_there_are() {
        GenerationRequest two = REQUEST.with(RequestOption.SIGMAS, "1,0.5");
        assertThat(complete(two).integer(RequestOption.NUM_INFERENCE_STEPS)).isEqualTo(2);
        assertThat(complete(complete(two))).isEqualTo(complete(two));
        assertThat(complete(two.withDefaults(Map.of(RequestOption.NUM_INFERENCE_STEPS, 20))))
                .isEqualTo(complete(two));
        assertThat(complete(REQUEST.withNumInferenceSteps(3).withDefaults(two.options()))
                        .has(RequestOption.SIGMAS))
                .isFalse();
        assertThatThrownBy(() -> complete(two.withNumInferenceSteps(3)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("sigmas has 2 values, but num_inference_steps is 3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1,0.5,0", "0.5,1", "0.2,0.3,0.1"})
    void sigmas_that_do_not_fall_to_above_zero_are_refused(String sigmas) {
        assertThatThrownBy(() -> complete(REQUEST.with(RequestOption.SIGMAS, sigmas)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("sigmas must fall");
    }

    @Test
    void notes_tell_what_has_no_effect_and_what_is_rounded() {
        assertThat(notes(REQUEST.withNegativePrompt(" "))).isEmpty();
        assertThat(notes(REQUEST.withTrueCfgScale(1))).isEmpty();
        assertThat(notes(REQUEST)).singleElement().asString().contains("no guidance");
        assertThat(notes(REQUEST.withNegativePrompt("x").withTrueCfgScale(1)))
                .singleElement()
                .asString()
                .contains("negative prompt is ignored");
        assertThat(notes(REQUEST.withTrueCfgScale(1).withSize(100, 64)))
                .containsExactly("height 100 is not a multiple of 16: 96 is used");
    }

    private static List<String> notes(GenerationRequest request) {
        return QwenImagePipeline.FAMILY.notes(complete(request));
    }
}
