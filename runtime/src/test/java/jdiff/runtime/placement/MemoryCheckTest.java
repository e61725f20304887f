package jdiff.runtime.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.loading.LoadSettings;
import jdiff.runtime.loading.WeightsIo;
import jdiff.runtime.pipeline.ModelPlan;
import jdiff.runtime.pipeline.PipelineOptions;
import jdiff.runtime.pipeline.Pipelines;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.weights.LoadPlan;
import org.junit.jupiter.api.Test;

/** The demo model: 1 MB, 7 MB and 3 MB as stored in bfloat16, twice that in float32. */
class MemoryCheckTest {
    private static final long MB = 1_000_000;
    private static final LoadSettings ALONE = LoadSettings.automatic();

    private static DeviceSizes host(long freeMb, long totalMb) {
        return new DeviceSizes(List.of(new DeviceSizes.Size(Device.CPU, freeMb * MB, totalMb * MB)));
    }

    private static DeviceSizes gpu(long freeMb) {
        return new DeviceSizes(List.of(
                new DeviceSizes.Size(Device.cuda(0), freeMb * MB, 1000 * MB),
                new DeviceSizes.Size(Device.CPU, 1000 * MB, 1000 * MB)));
    }

    private static LoadSettings ranks(int n) {
        return LoadSettings.of(Map.of("LOCAL_WORLD_SIZE", Integer.toString(n)), null, null);
    }

    private static void check(String map, String dtype, DeviceSizes sizes, LoadSettings settings, boolean free)
            throws IOException {
        try (ModelPlan model = Pipelines.plan("../models/demo", PipelineOptions.DEFAULT.withDtype(dtype))) {
            DeviceMap wanted = DeviceMap.parse(map);
            PlacementPlan placement = Placements.plan(wanted, plans(model.components()), sizes, Device.CPU);
            new MemoryCheck(wanted, placement, sizes, settings)
                    .require(
                            model.phases(free).stream()
                                    .map(MemoryCheckTest::plans)
                                    .toList(),
                            !free);
        }
    }

    private static List<? extends LoadPlan<?>> plans(List<ModelPlan.Component> components) {
        return components.stream().map(ModelPlan.Component::weights).toList();
    }

    private static void assertRefused(
            String message, String map, String dtype, DeviceSizes sizes, LoadSettings settings, boolean free) {
        assertThatThrownBy(() -> check(map, dtype, sizes, settings, free))
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault()).isEqualTo(Fault.CONFIG))
                .hasMessage(message);
    }

    private static void assertAllowed(
            String map, String dtype, DeviceSizes sizes, LoadSettings settings, boolean free) {
        assertThatCode(() -> check(map, dtype, sizes, settings, free)).doesNotThrowAnyException();
    }

    @Test
    void a_gpu_needs_room_for_all_bytes_in_their_final_dtype() {
        assertAllowed("cuda", "auto", gpu(12), ALONE, false);
        assertRefused(
                "needs 22 MB, has 12 MB on cuda:0; what helps: --dtype bfloat16, --device-map balanced,"
                        + " --free-text-encoder",
                "cuda",
                "float32",
                gpu(12),
                ALONE,
                false);
        assertRefused(
                "needs 11 MB, has 5 MB on cuda:0; what helps: --device-map balanced, --free-text-encoder",
                "cuda",
                "auto",
                gpu(5),
                ALONE,
                false);
    }

    @Test
    void a_freed_text_encoder_does_not_count_beside_the_rest() throws IOException {
        long all;
        long encoder;
        try (ModelPlan model = Pipelines.plan("../models/demo", PipelineOptions.DEFAULT)) {
            encoder = model.components().get(0).weights().memoryBytes();
            all = model.components().stream()
                    .mapToLong(c -> c.weights().memoryBytes())
                    .sum();
        }
        DeviceSizes sizes = new DeviceSizes(List.of(
                new DeviceSizes.Size(Device.cuda(0), all - encoder, all), new DeviceSizes.Size(Device.CPU, all, all)));
        assertAllowed("cuda", "auto", sizes, ALONE, true);
        assertThatThrownBy(() -> check("cuda", "auto", sizes, ALONE, false)).isInstanceOf(FaultException.class);
    }

    @Test
    void mapped_weights_need_no_memory_but_copied_ones_do() {
        assertAllowed("cpu", "auto", host(1, 1), ALONE.withIo(WeightsIo.AUTO), false);
        assertAllowed("cpu", "bfloat16", host(1, 1), ALONE.withIo(WeightsIo.AUTO), false);
        assertRefused(
                "needs 11 MB, has 5 MB on cpu; what helps: --free-text-encoder",
                "cpu",
                "auto",
                host(5, 100),
                ALONE.withIo(WeightsIo.READ),
                false);
        assertRefused(
                "needs 22 MB, has 12 MB on cpu; what helps: --dtype auto (weights as stored are mapped, not copied),"
                        + " --free-text-encoder",
                "cpu",
                "float32",
                host(12, 100),
                ALONE,
                false);
    }

    @Test
    void ranks_of_a_node_share_its_memory_but_not_what_they_map() {
        assertAllowed("cpu", "float32", host(50, 100), ranks(4), false);
        assertAllowed("cpu", "auto", host(5, 5), ranks(4), false);
        assertRefused(
                "5 processes of 22 MB: needs 112 MB, has 100 MB on cpu; what helps: --dtype auto (weights as stored are"
                        + " mapped, not copied), --free-text-encoder, fewer workers",
                "cpu",
                "float32",
                host(50, 100),
                ranks(5),
                false);
    }

    @Test
    void a_limit_of_the_user_holds_for_all_weights() {
        assertRefused(
                "needs 11 MB, has 10 MB on cpu by --max-memory; what helps: --free-text-encoder",
                "cpu",
                "auto",
                host(500, 500).capped(MaxMemory.parse("cpu=10MB")),
                ALONE,
                false);
    }
}
