package jdiff.runtime.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.golden.Golden;
import jdiff.runtime.nn.Seam;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.weights.Placement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the parts of a model are and when they are in memory changes no bit of a picture. */
class PlacedPipelineTest {
    /** Every component and every second block of the nets on a device of its own. */
    private static final Placement SCATTERED = (component, name) -> {
        boolean odd = name.matches("(model\\.layers|transformer_blocks)\\.[0-9]*[13579](\\..*)?");
        int index = List.of("text_encoder", "transformer", "vae").indexOf(component);
        return new Device(Device.Type.CPU, 1 + 2 * index + (odd ? 1 : 0));
    };

    private static Pipeline open(LoadOptions options) throws IOException {
        return plan(Golden.path("qwen_image/model")).load(options);
    }

    private static ModelPlan plan(Path model) throws IOException {
        return Pipelines.plan(model.toString(), PipelineOptions.DEFAULT);
    }

    private static GenerationRequest request(String prompt) {
        return GenerationRequest.of(prompt)
                .withNegativePrompt("gray")
                .withSize(48, 32)
                .withNumInferenceSteps(2)
                .withSeed(3);
    }

    private static List<byte[]> pictures(Pipeline pipeline) {
        List<Output> outputs = new ArrayList<>();
        outputs.addAll(pipeline.generate(request("a red circle")));
        outputs.addAll(pipeline.generate(request("two blue stars")));
        outputs.addAll(pipeline.generateBatch(
                List.of(request("a red circle"), request("a green star above a fox")), StepListener.NONE));
        return outputs.stream().map(output -> ((Picture) output).rgb()).toList();
    }

    private static List<byte[]> expected() throws IOException {
        long before = Seam.crossings();
        try (Pipeline pipeline = open(LoadOptions.on(Device.CPU))) {
            List<byte[]> pictures = pictures(pipeline);
            assertThat(Seam.crossings()).isEqualTo(before);
            return pictures;
        }
    }

    private static long numBlocks(String component, ModelPlan plan) {
        return plan.components().stream()
                .filter(c -> c.name().equals(component))
                .mapToLong(c -> c.weights().blocks().size())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void a_model_over_six_devices_makes_the_same_pictures() throws IOException {
        try (Pipeline pipeline = open(LoadOptions.on(SCATTERED))) {
            assertThat(pictures(pipeline)).containsExactlyElementsOf(expected());
        }
    }

    @Test
    void values_cross_each_seam_once_for_each_use() throws IOException {
        ModelPlan plan = plan(Golden.path("qwen_image/model"));
        // Home, then every second block elsewhere: a crossing into each of these, one out of each, and one of the
        // inputs.
        long text = 2 * (numBlocks("text_encoder", plan) / 2) + 1;
        long transformer = 2 * (numBlocks("transformer", plan) / 2) + 1;
        assertThat(text).isGreaterThan(1);
        assertThat(transformer).isGreaterThan(1);
        long ids = 1;
        long states = 1;
        long latents = 1;
        try (Pipeline pipeline = plan.load(LoadOptions.on(SCATTERED))) {
            long before = Seam.crossings();
            pipeline.generate(request("a red circle"));
            assertThat(Seam.crossings() - before).isEqualTo(2 * (ids + text + states) + 2 * 2 * transformer + latents);
        }
    }

    @Test
    void a_text_encoder_that_is_freed_makes_the_same_pictures() throws IOException {
        List<byte[]> expected = expected();
        try (Pipeline pipeline = open(LoadOptions.on(Device.CPU).freeingTextEncoder(true))) {
            assertThat(pictures(pipeline)).containsExactlyElementsOf(expected);
        }
        try (Pipeline pipeline = open(LoadOptions.on(SCATTERED).freeingTextEncoder(true))) {
            assertThat(pictures(pipeline)).containsExactlyElementsOf(expected);
        }
    }

    @Test
    void for_the_first_prompt_text_encoder_and_transformer_are_never_in_memory_together() throws IOException {
        long before = Scope.liveTensors();
        try (Pipeline staying = open(LoadOptions.on(Device.CPU))) {
            long all = Scope.liveTensors() - before;
            staying.generate(request("a"));
            assertThat(Scope.liveTensors() - before).isEqualTo(all);
            try (Pipeline freeing = open(LoadOptions.on(Device.CPU).freeingTextEncoder(true))) {
                long encoder = Scope.liveTensors() - before - all;
                assertThat(encoder).isPositive();
                for (int i = 0; i < 2; i++) {
                    freeing.generate(request("a"), (step, total) -> {});
                    assertThat(Scope.liveTensors() - before - all).isEqualTo(all - encoder);
                }
                assertThatThrownBy(() -> freeing.generateBatch(
                                List.of(request("a"), GenerationRequest.of("b")), StepListener.NONE))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThat(Scope.liveTensors() - before - all).isEqualTo(all - encoder);
            }
        }
        assertThat(Scope.liveTensors()).isEqualTo(before);
    }

    /** The next prompt would fail in the same way, so the job must know. */
    @Test
    void weights_that_are_gone_when_they_are_needed_again_end_the_job(@TempDir Path folder) throws IOException {
        long before = Scope.liveTensors();
        Path model = folder.resolve("model");
        try (Stream<Path> files = Files.walk(Golden.path("qwen_image/model"))) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(
                        file,
                        model.resolve(
                                Golden.path("qwen_image/model").relativize(file).toString()));
            }
        }
        try (Pipeline pipeline = plan(model).load(LoadOptions.on(Device.CPU).freeingTextEncoder(true))) {
            try (Stream<Path> files = Files.list(model.resolve("transformer"))) {
                for (Path file : (Iterable<Path>) files::iterator) {
                    Files.delete(file);
                }
            }
            assertThatThrownBy(() -> pipeline.generate(request("a")))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasCauseInstanceOf(FaultException.class)
                    .hasMessageContaining("transformer");
        }
        assertThat(Scope.liveTensors()).isEqualTo(before);
    }
}
