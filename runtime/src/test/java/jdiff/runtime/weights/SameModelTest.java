package jdiff.runtime.weights;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import jdiff.runtime.config.ModelFolder;
import jdiff.runtime.loading.LoadMeter;
import jdiff.runtime.loading.LoadSettings;
import jdiff.runtime.loading.WeightsIo;
import jdiff.runtime.safetensors.SafetensorsWriter;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Rng;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same weights in one file, in shards, as a variant and in mixed dtypes are the same tensors. */
class SameModelTest {
    private static final String STEM = "diffusion_pytorch_model";

    @TempDir
    Path dir;

    private final Scope scope = Scope.keep();
    private final Map<String, Tensor> weights = new LinkedHashMap<>();

    @BeforeEach
    void weights() {
        try (Rng rng = new Rng(7)) {
            for (int i = 0; i < 9; i++) {
                long[] shape = i % 3 == 2 ? new long[] {40 + i} : new long[] {30 + i, 50};
                // Values that bfloat16 holds exactly, so that a file of either dtype has the same ones.
                weights.put(
                        "blocks." + i + ".weight",
                        scope.hold(
                                () -> rng.randn(DType.F32, shape).to(DType.BF16).to(DType.F32)));
            }
        }
    }

    @AfterEach
    void free() {
        scope.close();
    }

    @ParameterizedTest
    @EnumSource(WeightsIo.class)
    void one_file_shards_a_variant_and_mixed_dtypes_give_identical_tensors(WeightsIo io) throws IOException {
        Path one = folder("one");
        write(one.resolve(STEM + ".safetensors"), weights);
        Path shards = folder("shards");
        writeShards(shards, STEM + "-0000%d-of-00003.safetensors", STEM + ".safetensors.index.json");
        Path variant = folder("variant");
        writeShards(variant, STEM + ".ema-0000%d-of-00003.safetensors", STEM + ".safetensors.index.ema.json");
        Path mixed = folder("mixed");
        Map<String, Tensor> both = new LinkedHashMap<>();
        weights.forEach((name, tensor) ->
                both.put(name, scope.hold(() -> both.size() % 2 == 0 ? tensor.to(DType.BF16) : tensor)));
        write(mixed.resolve(STEM + ".safetensors"), both);
        for (DType dtype : List.of(DType.F32, DType.BF16)) {
            List<byte[]> expected = load(one, null, dtype, io);
            assertThat(load(shards, null, dtype, io)).containsExactlyElementsOf(expected);
            assertThat(load(variant, "ema", dtype, io)).containsExactlyElementsOf(expected);
            assertThat(load(mixed, null, dtype, io)).containsExactlyElementsOf(expected);
        }
    }

    @Test
    void a_thousand_shards_are_one_model() throws IOException {
        Path folder = folder("many");
        StringJoiner map = new StringJoiner(",", "{\"weight_map\":{", "}}");
        Tensor one = Tensor.of(new float[] {3}, 1);
        for (int i = 1; i <= 1000; i++) {
            String shard = STEM + String.format("-%05d-of-01000.safetensors", i);
            write(folder.resolve(shard), Map.of("t" + i, one));
            map.add("\"t" + i + "\":\"" + shard + "\"");
        }
        Files.writeString(folder.resolve(STEM + ".safetensors.index.json"), map.toString());
        Checkpoint checkpoint = Checkpoint.open(ModelFolder.open(folder), STEM);
        LoadPlan<List<Tensor>> plan = Weights.plan(checkpoint, LoadRules.of("x", DTypeRule.AUTO), w -> {
            List<Tensor> all = new ArrayList<>();
            for (int i = 1; i <= 1000; i++) {
                all.add(w.get("t" + i, 1));
            }
            return all;
        });
        assertThat(plan.load(Device.CPU, scope))
                .allMatch(tensor -> tensor.item() == 3)
                .hasSize(1000);
    }

    private List<byte[]> load(Path folder, String variant, DType dtype, WeightsIo io) throws IOException {
        Variants.Component component = new Variants.Component("x", ModelFolder.open(folder), STEM);
        Checkpoint checkpoint =
                Checkpoint.open(Variants.choose(List.of(component), variant).get("x"), true);
        LoadPlan<List<Tensor>> plan =
                Weights.plan(checkpoint, LoadRules.of("x", DTypeRule.of(dtype)).strictly(true), w -> {
                    List<Tensor> all = new ArrayList<>();
                    weights.forEach((name, tensor) -> all.add(w.get(name, tensor.shape())));
                    return all;
                });
        LoadSettings settings = LoadSettings.automatic().withReaders(3).withIo(io);
        try (Loading loading = Loading.start(List.of(plan), Placement.on(Device.CPU), settings, new LoadMeter())) {
            return loading.take(plan, scope).stream().map(Tensor::toBytes).toList();
        }
    }

    private Path folder(String name) throws IOException {
        return Files.createDirectory(dir.resolve(name));
    }

    private void writeShards(Path folder, String shard, String index) throws IOException {
        StringJoiner map = new StringJoiner(",", "{\"weight_map\":{", "}}");
        List<Map<String, Tensor>> shards = List.of(new LinkedHashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>());
        int i = 0;
        for (Map.Entry<String, Tensor> tensor : weights.entrySet()) {
            int at = i++ % 3;
            shards.get(at).put(tensor.getKey(), tensor.getValue());
            map.add("\"" + tensor.getKey() + "\":\"" + shard.formatted(at + 1) + "\"");
        }
        for (int at = 0; at < 3; at++) {
            write(folder.resolve(shard.formatted(at + 1)), shards.get(at));
        }
        Files.writeString(folder.resolve(index), map.toString());
    }

    private static void write(Path file, Map<String, Tensor> tensors) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            SafetensorsWriter.write(out, tensors, Map.of());
        }
    }
}
