package jdiff.runtime.model.qwen25vl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import jdiff.runtime.config.Config;
import jdiff.runtime.config.ModelFolder;
import jdiff.runtime.golden.Golden;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.weights.Checkpoint;
import jdiff.runtime.weights.DTypeRule;
import jdiff.runtime.weights.LoadRules;
import jdiff.runtime.weights.Weights;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** States against Transformers; tolerances of {@code prompt_embeds} in golden's README. The two cases have both key styles. */
class Qwen25VlTextEncoderTest {
    private static final int DROPPED = 34; // the pipeline's system turn

    private static Qwen25VlTextEncoder open(String model, DType dtype, Scope scope) throws IOException {
        ModelFolder folder = ModelFolder.open(Golden.path(model + "/model")).sub("text_encoder");
        Qwen25VlConfig config = Qwen25VlConfig.read(Config.read(folder.file("config.json")));
        LoadRules rules = LoadRules.of("text_encoder", DTypeRule.of(dtype))
                .withAlias(Qwen25VlTextEncoder::currentName)
                .ignoring(Qwen25VlTextEncoder.UNREAD.toArray(String[]::new));
        return Weights.plan(
                        Checkpoint.open(folder, "model"), rules, w -> new Qwen25VlTextEncoder(config, w.at("model")))
                .load(Device.CPU, scope);
    }

    @ParameterizedTest
    @CsvSource({
        "qwen_image, F32, '', 5e-5, 5e-6",
        "qwen_image, F32, negative_, 5e-5, 5e-6",
        "qwen_image, BF16, '', 4e-1, 2e-2",
        "qwen_image, BF16, negative_, 4e-1, 2e-2"
    })
    void states_of_a_prompt_equal_transformers(String model, DType dtype, String prefix, double largest, double rms)
            throws IOException {
        Golden golden = Golden.open(model + (dtype == DType.F32 ? "/expected" : "/expected_bf16") + ".safetensors");
        try (Scope scope = Scope.keep()) {
            Tensor ids = golden.tensor(prefix + "input_ids");
            Tensor states = open(model, dtype, scope).forward(ids);
            assertThat(states.dtype()).isEqualTo(dtype);
            Golden.assertWithin(
                    largest,
                    rms,
                    states.narrow(1, DROPPED, states.size(1) - DROPPED),
                    golden.tensor(prefix + "prompt_embeds"),
                    prefix + "prompt_embeds");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "qwen_image, float32, 5e-5, 5e-6",
        "qwen_image, bfloat16, 4e-1, 2e-2",
        "qwen_image_batch, float32, 5e-5, 5e-6",
        "qwen_image_batch, bfloat16, 4e-1, 2e-2"
    })
    void a_prompt_alone_equals_its_rows_of_a_padded_batch(String model, String dtype, double largest, double rms)
            throws IOException {
        Golden golden = Golden.open("components/text_encoders/" + model + ".text_encoder.safetensors");
        Tensor ids = golden.tensor("input_ids");
        Tensor mask = golden.tensor("attention_mask");
        Tensor masked = golden.tensor(dtype + ".masked.last_hidden_state");
        Tensor unmasked = golden.tensor(dtype + ".unmasked.last_hidden_state");
        try (Scope scope = Scope.keep()) {
            Qwen25VlTextEncoder encoder = open(model, DType.ofName(dtype), scope);
            for (int i = 0; i < ids.size(0); i++) {
                Tensor row = ids.narrow(0, i, 1);
                int length = (int) mask.narrow(0, i, 1).sum().item();
                Golden.assertWithin(
                        largest,
                        rms,
                        encoder.forward(row.narrow(1, 0, length).contiguous()),
                        masked.narrow(0, i, 1).narrow(1, 0, length),
                        "prompt " + i);
                Golden.assertWithin(
                        largest,
                        rms,
                        encoder.forward(row),
                        unmasked.narrow(0, i, 1),
                        "prompt " + i + " with its padding");
            }
        }
    }

    @Test
    void a_rotary_table_moves_as_a_whole() {
        HalfRope moved = HalfRope.of(3, 8, 10_000, DType.F32, Device.CPU).to(Device.META);
        assertThat(moved.cos().device()).isEqualTo(Device.META);
        assertThat(moved.sin().device()).isEqualTo(Device.META);
    }
}
