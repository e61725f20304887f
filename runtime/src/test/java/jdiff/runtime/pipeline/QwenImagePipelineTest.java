package jdiff.runtime.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import jdiff.runtime.golden.Golden;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Whole pictures against Diffusers; tolerances of golden's README. */
class QwenImagePipelineTest {
    private static final double FLOAT32_SHARE = 0.002;
    private static final double BFLOAT16_PSNR = 38;
    private static final String BFLOAT16 = "bfloat16,vae=float32";

    private static final List<GenerationRequest> BATCH = List.of(
            batch("a green star", 7),
            batch(
                    "a purple lantern beside the white river, floating slowly under the black mountain.",
                    2_147_483_649L));

    private static final List<GenerationRequest> REPEAT =
            List.of(repeat("a cat", "blurry", 1), repeat("a white boat below the gray bridge", " ", 3));

    private static Pipeline open(String model, String dtype) throws IOException {
        return Pipelines.open(Golden.path(model).toString(), PipelineOptions.DEFAULT.withDtype(dtype));
    }

    private static GenerationRequest qwenImage() {
        return GenerationRequest.of("a red circle above the blue bridge, shining quietly.")
                .withNegativePrompt("gray, blurry")
                .withTrueCfgScale(4)
                .withSize(80, 112)
                .withNumInferenceSteps(4)
                .withSeed(42);
    }

    private static GenerationRequest batch(String prompt, long seed) {
        return GenerationRequest.of(prompt)
                .withSize(64, 48)
                .withNumInferenceSteps(3)
                .withSeed(seed);
    }

    private static GenerationRequest repeat(String prompt, String negative, long seed) {
        return GenerationRequest.of(prompt)
                .withNegativePrompt(negative)
                .withTrueCfgScale(2.5)
                .withSize(32, 64)
                .withNumInferenceSteps(2)
                .with(RequestOption.NUM_IMAGES_PER_PROMPT, 2)
                .withSeed(seed);
    }

    private static byte[] rgb(Output output) {
        return ((Picture) output).rgb();
    }

    private static void assertFloat32(Output output, Tensor expected, int i) {
        Golden.assertOneLevel(rgb(output), Golden.picture(expected, i), FLOAT32_SHARE);
    }

    private static void assertBfloat16(Output output, Tensor expected, int i) {
        assertThat(Golden.psnr(rgb(output), Golden.picture(expected, i))).isGreaterThan(BFLOAT16_PSNR);
    }

    private static Tensor expected(String name) throws IOException {
        return Golden.open(name).tensor("image");
    }

    @Test
    void a_picture_with_guidance_equals_diffusers_in_float32() throws IOException {
        try (Pipeline pipeline = open("qwen_image/model", "float32")) {
            assertFloat32(pipeline.generate(qwenImage()).get(0), expected("qwen_image/expected.safetensors"), 0);
        }
    }

    @Test
    void a_picture_with_guidance_equals_diffusers_in_bfloat16() throws IOException {
        try (Pipeline pipeline = open("qwen_image/model", BFLOAT16)) {
            assertBfloat16(pipeline.generate(qwenImage()).get(0), expected("qwen_image/expected_bf16.safetensors"), 0);
        }
    }

    @Test
    void a_batch_of_prompts_of_different_length_equals_diffusers() throws IOException {
        try (Pipeline pipeline = open("qwen_image_batch/model", "float32")) {
            Tensor expected = expected("qwen_image_batch/expected.safetensors");
            List<Output> outputs = pipeline.generateBatch(BATCH, StepListener.NONE);
            for (int i = 0; i < 2; i++) {
                assertFloat32(outputs.get(i), expected, i);
                assertFloat32(pipeline.generate(BATCH.get(i)).get(0), expected, i);
            }
        }
        try (Pipeline pipeline = open("qwen_image_batch/model", BFLOAT16)) {
            Tensor expected = expected("qwen_image_batch/expected_bf16.safetensors");
            List<Output> outputs = pipeline.generateBatch(BATCH, StepListener.NONE);
            for (int i = 0; i < 2; i++) {
                assertBfloat16(outputs.get(i), expected, i);
                assertBfloat16(pipeline.generate(BATCH.get(i)).get(0), expected, i);
            }
        }
    }

    /** Diffusers pairs the masks of pictures 1 and 2 with the wrong prompts; 0 and 3 are right. */
    @Test
    void several_pictures_of_each_prompt_of_a_batch_equal_diffusers_where_it_is_right() throws IOException {
        try (Pipeline pipeline = open("qwen_image_batch/model", "float32")) {
            Tensor expected = expected("qwen_image_repeat/expected.safetensors");
            List<Output> outputs = pipeline.generateBatch(REPEAT, StepListener.NONE);
            assertThat(outputs).extracting(Output::seed).containsExactly(1L, 2L, 3L, 4L);
            assertFloat32(outputs.get(0), expected, 0);
            assertFloat32(outputs.get(3), expected, 3);
            assertFloat32(pipeline.generate(REPEAT.get(1)).get(1), expected, 3);
        }
        try (Pipeline pipeline = open("qwen_image_batch/model", BFLOAT16)) {
            Tensor expected = expected("qwen_image_repeat/expected_bf16.safetensors");
            List<Output> outputs = pipeline.generateBatch(REPEAT, StepListener.NONE);
            assertBfloat16(outputs.get(0), expected, 0);
            assertBfloat16(outputs.get(3), expected, 3);
        }
    }

    /** Sizes, lengths, guidance, kinds of output and refusals in turn; whatever a request did, nothing of it stays. */
    @Test
    void twenty_requests_of_all_kinds_leave_no_tensor_behind() throws IOException {
        try (Pipeline pipeline = open("qwen_image/model", "float32")) {
            long loaded = Scope.liveTensors();
            for (int i = 0; i < 20; i++) {
                GenerationRequest request = GenerationRequest.of("a cat ".repeat(i))
                        .withSize(16 + 16 * (i % 3), 32)
                        .withNumInferenceSteps(1 + i % 2)
                        .with(RequestOption.NUM_IMAGES_PER_PROMPT, 1 + i % 2)
                        .with(RequestOption.MAX_SEQUENCE_LENGTH, 1 + 8 * i)
                        .with(RequestOption.OUTPUT_TYPE, i % 5 == 4 ? "latent" : "png")
                        .withSeed(i);
                boolean fails = i % 7 == 6;
                try {
                    pipeline.generate(
                            i % 4 == 0 ? request : request.withNegativePrompt(" "), (step, total) -> refuseIf(fails));
                    assertThat(fails).isFalse();
                } catch (UnsupportedOperationException e) {
                    assertThat(fails).isTrue();
                }
                assertThat(Scope.liveTensors()).as("after request %d", i).isEqualTo(loaded);
            }
        }
    }

    private static void refuseIf(boolean refuse) {
        if (refuse) {
            throw new UnsupportedOperationException("a listener that fails in the middle");
        }
    }

    @Test
    void the_same_request_gives_the_same_bytes_and_leaves_no_tensor_behind() throws IOException {
        long before = Scope.liveTensors();
        try (Pipeline pipeline = open("qwen_image/model", "float32")) {
            byte[] first = rgb(pipeline.generate(qwenImage()).get(0));
            long loaded = Scope.liveTensors();
            for (int i = 0; i < 3; i++) {
                assertThat(rgb(pipeline.generate(qwenImage()).get(0))).isEqualTo(first);
                assertThat(Scope.liveTensors()).isEqualTo(loaded);
            }
        }
        assertThat(Scope.liveTensors()).isEqualTo(before);
    }
}
