package jdiff.runtime.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import jdiff.runtime.pipeline.GenerationRequest;
import jdiff.runtime.pipeline.OutputType;
import jdiff.runtime.pipeline.RequestOption;
import org.junit.jupiter.api.Test;

class RequestKeyTest {
    private static final GenerationRequest REQUEST =
            GenerationRequest.of("a red circle").withTrueCfgScale(0.1).withNegativePrompt(" ");

    @Test
    void the_key_of_a_request_is_the_same_in_every_release() {
        assertThat(key(REQUEST, 5).hex()).isEqualTo("39c10a309ed064e7ce181dc39b0a9a67154e727596d4d36be76741acd115f523");
    }

    @Test
    void a_default_that_is_spelled_out_changes_nothing() {
        assertThat(key(REQUEST.with(RequestOption.HEIGHT, 4), 5)).isEqualTo(key(REQUEST, 5));
        assertThat(key(REQUEST.withSeed(5), 0)).isEqualTo(key(REQUEST, 5));
    }

    @Test
    void everything_that_changes_the_picture_changes_the_key() {
        Set<String> keys = new HashSet<>();
        List<GenerationRequest> requests = List.of(
                REQUEST,
                GenerationRequest.of("a red circle ").withDefaults(REQUEST.options()),
                REQUEST.withNegativePrompt(""),
                GenerationRequest.of("a red circle").withTrueCfgScale(0.1),
                REQUEST.with(RequestOption.HEIGHT, 5),
                REQUEST.with(RequestOption.SIGMAS, List.of(1.0, 0.5, 0.1)),
                REQUEST.with(RequestOption.OUTPUT_TYPE, OutputType.LATENT),
                REQUEST.withSeed(6));
        requests.forEach(request -> keys.add(key(request, 5).hex()));
        PromptJob job = Jobs.job(0, REQUEST, 5);
        keys.add(RequestKey.of(job, "bfloat16", "f").hex());
        keys.add(RequestKey.of(job, "auto", "other").hex());
        assertThat(keys).hasSize(requests.size() + 2);
    }

    @Test
    void seeds_follow_from_base_index_and_number_of_pictures() {
        GenerationRequest three = REQUEST.with(RequestOption.NUM_IMAGES_PER_PROMPT, 3);
        assertThat(Jobs.job(4, three, 100).seed()).isEqualTo(112);
        assertThat(Jobs.job(4, three.withSeed(9), 100).seed()).isEqualTo(9);
        assertThat(Jobs.job(0, REQUEST, Long.MAX_VALUE).seed()).isEqualTo(Long.MAX_VALUE);
        assertThatThrownBy(() -> Jobs.job(1, REQUEST, Long.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2^63-1");
    }

    @Test
    void an_option_that_the_family_lacks_is_refused() {
        assertThatThrownBy(() -> Jobs.job(0, REQUEST.with(RequestOption.GUIDANCE_SCALE, 2), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Fake has no option guidance_scale");
    }

    private static RequestKey key(GenerationRequest request, long seed) {
        return RequestKey.of(Jobs.job(0, request, seed), "auto", "f");
    }
}
