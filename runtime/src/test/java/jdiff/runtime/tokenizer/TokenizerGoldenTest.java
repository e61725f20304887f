package jdiff.runtime.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonToken;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import jdiff.runtime.config.JsonReader;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.golden.Golden;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ids of 28 texts in both file forms, as Transformers gives them; every id must be equal. */
class TokenizerGoldenTest {
    /** What the pipeline puts around a prompt: 34 tokens before it, 5 after it. */
    private static final int TEMPLATE_TOKENS = 34;

    private static final int MAX_TOKENS = 1024 + TEMPLATE_TOKENS;

    record Case(String text, List<Integer> ids, List<Integer> pipelineIds) {}

    @ParameterizedTest
    @ValueSource(strings = {"qwen_image", "qwen_image_batch"})
    void ids_equal_those_of_transformers(String name) throws Exception {
        try (Tokenizer tokenizer = Tokenizer.open(Golden.path(name + "/model/tokenizer"))) {
            List<Case> cases = cases(Golden.path("tokenizers/" + name + ".json"));
            assertThat(cases).hasSize(28);
            for (Case c : cases) {
                assertThat(ids(tokenizer.encode(c.text()))).as(c.text()).isEqualTo(c.ids());
            }
            assertThat(tokenizer.size()).isEqualTo(663);
        }
    }

    /** The template is read back from the ids of the empty prompt. */
    @ParameterizedTest
    @ValueSource(strings = {"qwen_image", "qwen_image_batch"})
    void ids_inside_the_prompt_template_equal_those_of_the_pipeline(String name) throws Exception {
        try (Tokenizer tokenizer = Tokenizer.open(Golden.path(name + "/model/tokenizer"))) {
            List<Case> cases = cases(Golden.path("tokenizers/" + name + ".json"));
            int[] empty = array(cases.get(0).pipelineIds());
            String before = tokenizer.decode(Arrays.copyOf(empty, TEMPLATE_TOKENS));
            String after = tokenizer.decode(Arrays.copyOfRange(empty, TEMPLATE_TOKENS, empty.length));
            for (Case c : cases) {
                List<Integer> ids = ids(tokenizer.encode(before + c.text() + after));
                assertThat(ids.subList(0, Math.min(MAX_TOKENS, ids.size())))
                        .as(c.text())
                        .isEqualTo(c.pipelineIds());
            }
        }
    }

    private static List<Case> cases(Path file) throws FaultException {
        JsonReader in = JsonReader.open(file, JsonReader.SMALL);
        var cases = new ArrayList<Case>();
        in.expect(JsonToken.START_OBJECT, "cases");
        while (in.more()) {
            if (!in.text().equals("texts")) {
                in.skipNext();
                continue;
            }
            in.expect(JsonToken.START_ARRAY, "texts");
            while (in.more()) {
                String text = "";
                List<Integer> ids = List.of();
                List<Integer> pipelineIds = List.of();
                while (in.more()) {
                    switch (in.text()) {
                        case "text" -> text = in.string("text");
                        case "ids" -> ids = ids(in);
                        case "pipeline_ids" -> pipelineIds = ids(in);
                        default -> in.skipNext();
                    }
                }
                cases.add(new Case(text, ids, pipelineIds));
            }
        }
        in.end();
        return cases;
    }

    private static List<Integer> ids(JsonReader in) throws FaultException {
        var ids = new ArrayList<Integer>();
        in.expect(JsonToken.START_ARRAY, "ids");
        while (in.more()) {
            ids.add(Integer.parseInt(in.text()));
        }
        return ids;
    }

    private static List<Integer> ids(int[] ids) {
        return Arrays.stream(ids).boxed().toList();
    }

    private static int[] array(List<Integer> ids) {
        return ids.stream().mapToInt(Integer::intValue).toArray();
    }
}
