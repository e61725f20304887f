package jdiff.runtime.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import jdiff.runtime.pipeline.GenerationRequest;
import jdiff.runtime.pipeline.RequestOption;
import org.junit.jupiter.api.Test;

class ManifestTest {
    private static final GenerationRequest REQUEST = GenerationRequest.of("\"a\"\n\u2028 red {circle}")
            .withNegativePrompt(" ")
            .withTrueCfgScale(0.1)
            .with(RequestOption.SIGMAS, List.of(1.0, 0.25, 1e-7))
            .withSeed(Long.MAX_VALUE);

    @Test
    void a_line_is_read_as_it_was_written() throws IOException {
        PromptJob job = Jobs.job(3, REQUEST, 0);
        PromptResult done = new PromptResult(
                3,
                "k".repeat(64),
                "",
                job.request(),
                "owner/name",
                "f",
                "float32,vae=bfloat16",
                List.of(new ResultFile("000003-k.png", Long.MAX_VALUE, 1L << 40, "s")));
        PromptResult failed = new PromptResult(4, "k", "line 5: no", job.request(), "m", "f", "auto", List.of());
        PromptResult bad = new PromptResult(5, "", "line 6: NUL", null, "m", "f", "auto", List.of());
        for (PromptResult result : List.of(done, failed, bad)) {
            String line = Manifest.line(result);
            assertThat(line).doesNotContain("\n");
            assertThat(Manifest.parse("line", line)).isEqualTo(result);
        }
    }

    @Test
    void prompt_and_options_of_a_line_are_a_line_of_a_prompt_file_that_asks_for_the_same() throws IOException {
        PromptJob job = Jobs.job(3, REQUEST, 0);
        PromptResult result = new PromptResult(3, "k", "", job.request(), "m", "f", "auto", List.of());
        String line = Manifest.line(result);
        int options = line.indexOf("\"options\":{") + "\"options\":{".length();
        int prompt = line.indexOf("\"prompt\":");
        String again = "{" + line.substring(prompt, line.indexOf(",\"options\"")) + ","
                + line.substring(options, line.indexOf('}', options)) + "}";
        assertThat(JsonPrompt.parse(again)).isEqualTo(job.request());
    }
}
