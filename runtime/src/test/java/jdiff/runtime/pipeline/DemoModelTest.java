package jdiff.runtime.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import jdiff.runtime.golden.Golden;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** The pictures that a newcomer sees are Diffusers' own; bounds of golden's README for the demo model. */
class DemoModelTest {
    private static final String MODEL = "../models/demo";
    private static final List<String> PROMPTS = List.of(
            "a red circle",
            "a blue star above a green square",
            "two pink hearts on a black background",
            "a yellow cross left of a purple diamond");

    private static GenerationRequest request(int i) {
        return GenerationRequest.of(PROMPTS.get(i))
                .withNegativePrompt(" ")
                .withTrueCfgScale(4)
                .withSize(128, 128)
                .withNumInferenceSteps(20)
                .withSeed(11 + i);
    }

    private static Pipeline open(String dtype) throws IOException {
        return Pipelines.open(MODEL, PipelineOptions.DEFAULT.withDtype(dtype));
    }

    @Test
    void pictures_equal_diffusers_in_float32() throws IOException {
        Tensor expected = Golden.open("demo_model/expected.safetensors").tensor("image");
        try (Pipeline pipeline = open("float32")) {
            for (int i = 0; i < PROMPTS.size(); i++) {
                Picture picture = (Picture) pipeline.generate(request(i)).get(0);
                Golden.assertOneLevel(picture.rgb(), Golden.picture(expected, i), 0.002);
            }
        }
    }

    @Test
    void pictures_equal_diffusers_in_bfloat16() throws IOException {
        Tensor expected = Golden.open("demo_model/expected.safetensors").tensor("image_bf16");
        try (Pipeline pipeline = open("bfloat16,vae=float32")) {
            for (int i = 0; i < PROMPTS.size(); i++) {
                Picture picture = (Picture) pipeline.generate(request(i)).get(0);
                assertThat(Golden.psnr(picture.rgb(), Golden.picture(expected, i)))
                        .isGreaterThan(40);
            }
        }
    }

    @Test
    void latents_equal_diffusers() throws IOException {
        Tensor expected = Golden.open("demo_model/expected.safetensors").tensor("latents");
        try (Pipeline pipeline = open("float32")) {
            Latents latents = (Latents) pipeline.generate(request(0).with(RequestOption.OUTPUT_TYPE, OutputType.LATENT))
                    .get(0);
            Tensor actual = Tensor.empty(DType.F32, Device.CPU, latents.shape());
            actual.buffer(0, latents.data().length).put(latents.data());
            Golden.assertWithin(2e-4, 5e-5, actual, expected.narrow(0, 0, 1), "latents");
        }
    }
}
