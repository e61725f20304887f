package jdiff.runtime.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import jdiff.runtime.distributed.ParallelDims;
import jdiff.runtime.distributed.ThreadRanks;
import jdiff.runtime.loading.LoadSettings;
import jdiff.runtime.pipeline.ModelPlan;
import jdiff.runtime.pipeline.PipelineOptions;
import jdiff.runtime.pipeline.Pipelines;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.weights.LoadPlan;
import jdiff.runtime.weights.Loading;
import jdiff.runtime.weights.PlannedTensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlacementsTest {
    private static final long GIB = 1L << 30;
    private static final Device A = Device.cuda(0);
    private static final Device B = Device.cuda(1);
    private static final Device C = Device.cuda(2);

    /** A component of {@code rest} GiB and blocks of one GiB each. */
    private static Parts parts(String name, long rest, int blocks) {
        return new Parts(
                name,
                rest * GIB,
                IntStream.range(0, blocks)
                        .mapToObj(i -> new Parts.Block("blocks." + i, GIB))
                        .toList());
    }

    /** GPUs with so many GiB for weights, beside a CPU. */
    private static DeviceSizes rooms(long... gib) {
        List<DeviceSizes.Size> sizes = new ArrayList<>();
        for (int i = 0; i < gib.length; i++) {
            sizes.add(new DeviceSizes.Size(Device.cuda(i), Long.MAX_VALUE, Long.MAX_VALUE, gib[i] * GIB));
        }
        sizes.add(new DeviceSizes.Size(Device.CPU, 64 * GIB, 64 * GIB));
        return new DeviceSizes(sizes);
    }

    private static List<String> rows(PlacementPlan plan) {
        return plan.rows().stream()
                .map(row -> (row.component() + " " + row.part()).strip() + " " + row.device() + " " + row.bytes() / GIB)
                .toList();
    }

    private static ModelPlan demo() throws IOException {
        return Pipelines.plan("../models/demo", PipelineOptions.DEFAULT);
    }

    private static PlacementPlan explicit(String map, DeviceSizes sizes) throws IOException {
        try (ModelPlan model = demo()) {
            return Placements.plan(
                    DeviceMap.parse(map),
                    model.components().stream()
                            .map(ModelPlan.Component::weights)
                            .toList(),
                    sizes,
                    Device.CPU);
        }
    }

    @Test
    void balanced_gives_the_largest_component_the_roomiest_device() {
        PlacementPlan plan = BalancedPlan.of(
                List.of(parts("text", 16, 0), parts("net", 1, 40), parts("vae", 2, 0)), rooms(20, 48, 24));
        assertThat(rows(plan)).containsExactly("text cuda:2 16", "net cuda:1 41", "vae cuda:0 2");
        assertThat(plan.of("net", "blocks.7.to_q.weight")).isEqualTo(B);
        assertThat(plan.of("vae", "decoder")).isEqualTo(A);
        assertThat(plan.warnings()).isEmpty();
        assertThat(plan.devices()).containsExactly(C, B, A);
        assertThat(plan.bytesOn(B)).isEqualTo(41 * GIB);
    }

    @Test
    void balanced_keeps_the_order_of_devices_that_are_alike() {
        PlacementPlan plan =
                BalancedPlan.of(List.of(parts("a", 5, 0), parts("b", 5, 0), parts("c", 5, 0)), rooms(12, 12));
        assertThat(rows(plan)).containsExactly("a cuda:0 5", "b cuda:1 5", "c cuda:0 5");
    }

    @Test
    void balanced_tries_every_device() {
        PlacementPlan plan = BalancedPlan.of(List.of(parts("a", 3, 0), parts("b", 9, 0)), rooms(4, 2, 10));
        assertThat(rows(plan)).containsExactly("a cuda:0 3", "b cuda:2 9");
    }

    @Test
    void balanced_cuts_between_blocks_what_no_device_can_hold() {
        PlacementPlan plan = BalancedPlan.of(List.of(parts("net", 2, 40), parts("vae", 1, 0)), rooms(20, 20, 20));
        assertThat(rows(plan))
                .containsExactly(
                        "net without its blocks cuda:0 2",
                        "net blocks.0-17 cuda:0 18",
                        "net blocks.18-37 cuda:1 20",
                        "net blocks.38-39 cuda:2 2",
                        "vae cuda:2 1");
        assertThat(plan.of("net", "")).isEqualTo(A);
        assertThat(plan.of("net", "norm_out.linear.weight")).isEqualTo(A);
        assertThat(plan.of("net", "blocks.17.a.weight")).isEqualTo(A);
        assertThat(plan.of("net", "blocks.18")).isEqualTo(B);
        assertThat(plan.of("net", "blocks.39.a")).isEqualTo(C);
        assertThat(plan.warnings()).isEmpty();
    }

    @Test
    void balanced_leaves_to_the_cpu_only_what_fits_nowhere_else_and_says_so() {
        PlacementPlan whole = BalancedPlan.of(List.of(parts("text", 30, 0), parts("net", 1, 9)), rooms(12));
        assertThat(rows(whole)).containsExactly("text cpu 30", "net cuda:0 10");
        assertThat(whole.warnings())
                .singleElement()
                .asString()
                .contains("32.2 GB of text")
                .contains("slow");

        PlacementPlan end = BalancedPlan.of(List.of(parts("net", 2, 20)), rooms(8, 12));
        assertThat(rows(end))
                .containsExactly(
                        "net without its blocks cuda:1 2",
                        "net blocks.0-9 cuda:1 10",
                        "net blocks.10-17 cuda:0 8",
                        "net blocks.18-19 cpu 2");
        assertThat(end.warnings()).singleElement().asString().contains("of net blocks.18-19");

        PlacementPlan tooLargeAtItsStart = BalancedPlan.of(List.of(parts("net", 9, 20)), rooms(9, 9));
        assertThat(rows(tooLargeAtItsStart)).containsExactly("net cpu 29");
    }

    @Test
    void balanced_without_gpus_is_the_cpu_without_a_warning() {
        PlacementPlan plan = BalancedPlan.of(List.of(parts("net", 2, 20)), rooms());
        assertThat(rows(plan)).containsExactly("net cpu 22");
        assertThat(plan.warnings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "24, none, 21.6", // less 10 %
        "8, none, 7", // less 1 GiB
        "0.5, none, 0",
        "24, 20, 20",
        "24, 30, 21.6",
    })
    void room_is_what_activations_and_the_user_leave(double free, String max, double room) {
        long bytes = Math.round(free * GIB);
        var size = max.equals("none")
                ? new DeviceSizes.Size(A, bytes, bytes)
                : new DeviceSizes.Size(A, bytes, bytes, Long.parseLong(max) * GIB);
        assertThat(size.room()).isCloseTo(Math.round(room * GIB), within(2L));
    }

    @Test
    void limits_name_visible_devices_unless_the_plan_is_only_shown() {
        DeviceSizes sizes = rooms(8);
        MaxMemory max = MaxMemory.parse("1=2GiB,cpu=3GiB");
        assertThatThrownBy(() -> sizes.capped(max))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("device cuda:1 does not exist; visible: cuda:0, cpu");
        assertThat(sizes.assuming(max).all())
                .extracting(size -> size.device() + " " + size.maxBytes() / GIB)
                .containsExactly("cuda:0 " + Long.MAX_VALUE / GIB, "cuda:1 2", "cpu 3");
    }

    @Test
    void every_component_goes_where_a_word_says() throws IOException {
        assertThat(explicit("cpu", rooms(1)).devices()).containsExactly(Device.CPU);
        assertThat(explicit("cuda:1", rooms(1, 1)).devices()).containsExactly(B);
        assertThat(explicit("cuda", rooms(1)).devices()).containsExactly(A);
        assertThatThrownBy(() -> explicit("cuda", rooms())).hasMessage("device cuda:0 does not exist; visible: cpu");
        assertThatThrownBy(() -> explicit("cuda:2", rooms(1, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("device cuda:2 does not exist; visible: cuda:0, cuda:1, cpu");
    }

    @Test
    void the_longest_key_counts() throws IOException {
        PlacementPlan plan = explicit("""
                {"": "cpu", "transformer": 0, "transformer.transformer_blocks": 1,
                 "transformer.transformer_blocks.1": 2}""", rooms(1, 1, 1));
        assertThat(plan.rows().stream()
                        .map(row -> row.component() + " " + row.part() + " " + row.device() + " " + row.reason()))
                .containsExactly(
                        "text_encoder  cpu key \"\"",
                        "transformer without its blocks cuda:0 key \"transformer\"",
                        "transformer transformer_blocks.0 cuda:1 key \"transformer.transformer_blocks\"",
                        "transformer transformer_blocks.1 cuda:2 key \"transformer.transformer_blocks.1\"",
                        "transformer transformer_blocks.2-5 cuda:1 key \"transformer.transformer_blocks\"",
                        "vae  cpu key \"\"");
        assertThat(plan.of("transformer", "transformer_blocks.10.x")).isEqualTo(A); // no such block
    }

    /** Rows and the placement itself agree: every byte is where the rows say. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "cpu",
                "balanced",
                "{\"\": 1}",
                "{\"text_encoder\": 0, \"text_encoder.model.layers.1\": 1, \"transformer\": 1, \"vae\": \"cpu\"}",
                "{\"text_encoder\": 0, \"transformer.transformer_blocks\": 1, \"transformer\": 0, \"vae\": 0}",
                "{\"\": 0, \"transformer.transformer_blocks.0\": 1, \"transformer.transformer_blocks.5\": 1}"
            })
    void the_bytes_of_the_rows_are_those_of_the_parameters(String map) throws IOException {
        PlacementPlan plan = explicit(map, rooms(1, 1));
        try (ModelPlan model = demo()) {
            for (Device device : List.of(A, B, Device.CPU)) {
                long bytes = 0;
                for (ModelPlan.Component component : model.components()) {
                    LoadPlan<?> weights = component.weights();
                    for (PlannedTensor tensor : weights.tensors()) {
                        boolean here = plan.of(component.name(), tensor.name()).equals(device);
                        bytes += here ? tensor.memoryBytes() : 0;
                    }
                }
                assertThat(plan.bytesOn(device)).as(device.toString()).isEqualTo(bytes);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {"transformer": 0, "vae": 0}      | 26 parameters have no device: text_encoder.model.embed_tokens.weight, text_enc
                    {"": 0, "transfomer": 0}          | device map key "transfomer" matches nothing; nearest: transformer, te
                    {"": 0, "transformer.transformer_blocks.6": 0} | matches nothing; nearest: transformer.transformer_blocks.
                    {"": 0, "scheduler": 0}           | device map key "scheduler" matches nothing
                    {"": 0, "vae.": 0}                | device map key "vae." matches nothing; nearest: vae
                    {"": 5}                           | device cuda:5 does not exist; visible: cuda:0, cuda:1, cpu
                    {"": 0, "vae.decoder": 1}         | what is in no block of vae must stay together; vae has no blocks
                    {"": 0, "transformer.proj_out": 1} | keys inside a component may name blocks, as in transformer.transformer_blocks.0
                    {"": 0, "transformer.transformer_blocks.2.attn": 1} | the block transformer.transformer_blocks.2 must stay together
                    """)
    void a_map_that_does_not_fit_is_refused(String map, String message) {
        assertThatThrownBy(() -> explicit(map, rooms(1, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void bytes_are_those_after_sharding_and_in_the_final_dtypes() throws IOException {
        List<long[]> ofRanks = ThreadRanks.run(2, world -> {
            PipelineOptions options = PipelineOptions.DEFAULT
                    .withDtype("bfloat16,vae=float32")
                    .on(world.mesh(new ParallelDims(1, 1, 1, 1, 2)));
            try (ModelPlan model = Pipelines.plan("../models/demo", options)) {
                List<LoadPlan<?>> plans = new ArrayList<>();
                model.components().forEach(c -> plans.add(c.weights()));
                PlacementPlan plan = Placements.plan(DeviceMap.CUDA, plans, rooms(1), A);
                LoadSettings settings = LoadSettings.automatic();
                assertThat(Loading.allocatedBytes(plans, plan, settings))
                        .containsOnlyKeys(A)
                        .containsValue(plan.bytesOn(A));
                LoadPlan<?> transformer = plans.get(1);
                assertThat(plans.get(2).memoryBytes())
                        .isEqualTo(2 * plans.get(2).fileBytes());
                assertThat(transformer.memoryBytes()).isEqualTo(transformer.fileBytes());
                long replicated = transformer.tensors().stream()
                        .filter(tensor -> tensor.entry().hasShape(tensor.shape()))
                        .mapToLong(PlannedTensor::memoryBytes)
                        .sum();
                return new long[] {transformer.memoryBytes(), replicated, plan.bytesOn(A)};
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        try (ModelPlan model = demo()) {
            long whole = model.components().get(1).weights().memoryBytes();
            for (long[] rank : ofRanks) {
                assertThat(2 * rank[0] - rank[1]).isEqualTo(whole); // halves, but for what both have
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"balanced", "auto", "cuda:1", "{\"\": 0}", "{\"vae\": 0, \"\": \"cpu\"}"})
    void a_map_over_devices_wants_a_process_and_a_rank_for_itself(String text) {
        DeviceMap map = DeviceMap.parse(text);
        assertThatCode(() -> Placements.requireOneProcess(map, ParallelDims.ONE, 1))
                .doesNotThrowAnyException();
        assertThatCode(() -> Placements.requireOneProcess(map, new ParallelDims(3, 1, 1, 1, 1), 1))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> Placements.requireOneProcess(map, new ParallelDims(1, 1, 1, 1, 2), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "device map " + text + " places one process on several devices and cannot be combined with tp"
                                + " degree 2; use \"cuda\" with a grid, or one process with \"balanced\"");
        assertThatThrownBy(() -> Placements.requireOneProcess(map, ParallelDims.ONE, 4))
                .hasMessageContaining("cannot be combined with dp degree 4;");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cuda", "cpu", "{\"\": \"cpu\"}"})
    void a_map_to_the_own_device_goes_with_any_grid(String text) {
        assertThatCode(() -> Placements.requireOneProcess(DeviceMap.parse(text), new ParallelDims(2, 2, 1, 1, 2), 8))
                .doesNotThrowAnyException();
    }
}
