package jdiff.runtime.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jdiff.runtime.pipeline.GenerationRequest;
import jdiff.runtime.pipeline.OutputType;
import jdiff.runtime.pipeline.RequestOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutputNamesTest {
    private static final RequestKey KEY = new RequestKey("0123456789abcdef".repeat(4));

    @Test
    void a_name_is_index_key_and_where_needed_the_number_of_the_picture() {
        PromptJob one = Jobs.job(7, GenerationRequest.of("a"), 0);
        PromptJob three =
                Jobs.job(1_234_567, GenerationRequest.of("a").with(RequestOption.NUM_IMAGES_PER_PROMPT, 3), 0);
        PromptJob latents =
                Jobs.job(0, GenerationRequest.of("a").with(RequestOption.OUTPUT_TYPE, OutputType.LATENT), 0);
        assertThat(OutputNames.DEFAULT.of(one, KEY)).containsExactly("000007-01234567.png");
        assertThat(OutputNames.DEFAULT.of(three, KEY))
                .containsExactly("1234567-01234567-00.png", "1234567-01234567-01.png", "1234567-01234567-02.png");
        assertThat(OutputNames.DEFAULT.of(latents, KEY)).containsExactly("000000-01234567.safetensors");
    }

    @Test
    void a_template_may_name_seed_picture_and_words_of_the_prompt() {
        PromptJob job =
                Jobs.job(2, GenerationRequest.of("A  Red/Circle…").with(RequestOption.NUM_IMAGES_PER_PROMPT, 2), 10);
        assertThat(OutputNames.of("{slug}_{seed}-{image}.png").of(job, KEY))
                .containsExactly("a-red-circle_14-00.png", "a-red-circle_15-01.png");
    }

    @Test
    void a_slug_is_short_and_never_empty() {
        assertThat(OutputNames.slug("../../etc/passwd")).isEqualTo("etc-passwd");
        assertThat(OutputNames.slug("\u4e2d\u6587")).isEqualTo("prompt");
        assertThat(OutputNames.slug("")).isEqualTo("prompt");
        assertThat(OutputNames.slug("ab ".repeat(100)))
                .hasSize(59)
                .matches("[a-z0-9-]+")
                .doesNotEndWith("-");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".x", "../x", "a/b", "a\\b", "{who}", "{index", "a b", "\u00e9", "a\u0000", "{}"})
    void a_template_that_is_no_plain_file_name_is_refused(String template) {
        assertThatThrownBy(() -> OutputNames.of(template))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("{index}");
    }
}
