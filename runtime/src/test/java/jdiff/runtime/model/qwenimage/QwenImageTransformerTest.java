package jdiff.runtime.model.qwenimage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import jdiff.runtime.config.Config;
import jdiff.runtime.config.ModelFolder;
import jdiff.runtime.distributed.ParallelDims;
import jdiff.runtime.distributed.ThreadRanks;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.golden.Golden;
import jdiff.runtime.nn.Sdpa;
import jdiff.runtime.nn.Tokens;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.weights.Checkpoint;
import jdiff.runtime.weights.DTypeRule;
import jdiff.runtime.weights.LoadRules;
import jdiff.runtime.weights.Weights;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Predictions against Diffusers, each step fed with Diffusers' own latents; tolerances of golden's README. */
class QwenImageTransformerTest {
    private static final GridShape QWEN_IMAGE = new GridShape(1, 5, 7);
    private static final GridShape BATCH = new GridShape(1, 4, 3);

    private static QwenImageTransformer open(String model, DType dtype, Scope scope) throws IOException {
        return open(model, LoadRules.of("transformer", DTypeRule.of(dtype)), scope);
    }

    private static QwenImageTransformer open(String model, LoadRules rules, Scope scope) throws IOException {
        ModelFolder folder = ModelFolder.open(Golden.path(model + "/model")).sub("transformer");
        QwenImageConfig config = QwenImageConfig.read(Config.read(folder.file("config.json")));
        return Weights.plan(
                        Checkpoint.open(folder, "diffusion_pytorch_model"),
                        rules,
                        w -> new QwenImageTransformer(config, new Sdpa(), w))
                .load(Device.CPU, scope);
    }

    private static Tensor predict(
            QwenImageTransformer transformer,
            Golden golden,
            GridShape grid,
            int step,
            String states,
            @Nullable Tensor mask) {
        Tensor latents = golden.tensor(step == 0 ? "latents_initial" : "latents." + (step - 1));
        Tensor text = golden.tensor(states);
        return transformer.forward(
                new Tokens(latents, QwenImagePositions.image(List.of(grid), Device.CPU)),
                new Tokens(text, QwenImagePositions.text((int) text.size(1), List.of(grid), Device.CPU)),
                mask,
                golden.tensor("model_timestep." + step));
    }

    @Test
    void both_branches_of_every_step_equal_diffusers_in_float32() throws IOException {
        Golden golden = Golden.open("qwen_image/expected.safetensors");
        try (Scope scope = Scope.keep()) {
            QwenImageTransformer transformer = open("qwen_image", DType.F32, scope);
            for (int i = 0; i < 4; i++) {
                Tensor cond = predict(transformer, golden, QWEN_IMAGE, i, "prompt_embeds", null);
                Tensor uncond = predict(transformer, golden, QWEN_IMAGE, i, "negative_prompt_embeds", null);
                Golden.assertWithin(2e-4, 4e-5, cond, golden.tensor("noise_pred_cond." + i), "cond." + i);
                Golden.assertWithin(2e-4, 4e-5, uncond, golden.tensor("noise_pred_uncond." + i), "uncond." + i);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void two_tensor_parallel_ranks_equal_diffusers_whether_they_share_modulation_or_not(boolean shared)
            throws IOException {
        Golden golden = Golden.open("qwen_image/expected.safetensors");
        List<Tensor> velocities = ThreadRanks.run(2, world -> {
            LoadRules rules = LoadRules.of("transformer", DTypeRule.of(DType.F32))
                    .on(world.mesh(new ParallelDims(1, 1, 1, 1, 2)))
                    .shardingModulation(shared);
            try (Scope scope = Scope.keep()) {
                return predict(open("qwen_image", rules, scope), golden, QWEN_IMAGE, 0, "prompt_embeds", null);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        assertThat(velocities)
                .hasSize(2)
                .allSatisfy(velocity ->
                        Golden.assertWithin(2e-4, 4e-5, velocity, golden.tensor("noise_pred_cond.0"), "cond.0"));
    }

    @Test
    void the_first_step_equals_diffusers_in_bfloat16() throws IOException {
        Golden golden = Golden.open("qwen_image/expected_bf16.safetensors");
        try (Scope scope = Scope.keep()) {
            QwenImageTransformer transformer = open("qwen_image", DType.BF16, scope);
            Tensor cond = predict(transformer, golden, QWEN_IMAGE, 0, "prompt_embeds", null);
            Tensor uncond = predict(transformer, golden, QWEN_IMAGE, 0, "negative_prompt_embeds", null);
            Golden.assertWithin(1e-1, 2e-2, cond, golden.tensor("noise_pred_cond.0"), "cond.0");
            Golden.assertWithin(1e-1, 2e-2, uncond, golden.tensor("noise_pred_uncond.0"), "uncond.0");
        }
    }

    @ParameterizedTest
    @CsvSource({"F32, expected, 2e-4, 4e-5", "BF16, expected_bf16, 1e-1, 2e-2"})
    void a_batch_with_a_key_mask_equals_diffusers(DType dtype, String file, double largest, double rms)
            throws IOException {
        Golden golden = Golden.open("qwen_image_batch/" + file + ".safetensors");
        Tensor mask = golden.tensor("prompt_embeds_mask").to(DType.BOOL);
        try (Scope scope = Scope.keep()) {
            QwenImageTransformer transformer = open("qwen_image_batch", dtype, scope);
            Tensor velocity = predict(transformer, golden, BATCH, 0, "prompt_embeds", mask);
            Golden.assertWithin(largest, rms, velocity, golden.tensor("noise_pred.0"), "noise_pred.0");
        }
    }

    @Test
    void a_forward_leaves_only_its_result() throws IOException {
        Golden golden = Golden.open("qwen_image/expected.safetensors");
        try (Scope scope = Scope.keep()) {
            QwenImageTransformer transformer = open("qwen_image", DType.F32, scope);
            long before = Scope.liveTensors();
            Scope.tidy(() -> predict(transformer, golden, QWEN_IMAGE, 0, "prompt_embeds", null));
            assertThat(Scope.liveTensors()).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"zero_cond_t", "guidance_embeds", "use_layer3d_rope", "use_additional_t_cond"})
    void a_config_that_is_not_covered_is_refused(String key) {
        assertThatThrownBy(() -> QwenImageConfig.read(Config.parse("config.json", "{\"" + key + "\": true}")))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining(key);
    }

    @Test
    void rotary_axes_that_do_not_fill_a_head_are_refused() {
        assertThatThrownBy(
                        () -> QwenImageConfig.read(Config.parse("config.json", "{\"axes_dims_rope\": [16, 56, 58]}")))
                .isInstanceOf(FaultException.class)
                .hasMessageContaining("must add up to attention_head_dim 128");
    }

    @Test
    void positions_beyond_the_tables_are_refused() {
        List<GridShape> grid = List.of(new GridShape(1, 512, 512));
        assertThatThrownBy(() -> QwenImagePositions.text(3841, grid, Device.CPU))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("position 4096");
        assertThat(QwenImagePositions.text(3840, grid, Device.CPU).shape()).containsExactly(3840, 3);
    }
}
