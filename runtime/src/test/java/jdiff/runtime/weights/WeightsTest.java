package jdiff.runtime.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import jdiff.runtime.config.ModelFolder;
import jdiff.runtime.distributed.Split;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WeightsTest {
    @TempDir
    Path dir;

    private final Scope scope = Scope.keep();
    private final Map<String, Tensor> stored = new LinkedHashMap<>();

    @AfterEach
    void free() {
        scope.close();
    }

    @ParameterizedTest
    @CsvSource({"1, read", "2, mmap", "8, auto"})
    void parameters_arrive_as_they_were_written(int readers, String io) throws IOException {
        stored.put("blocks.0.weight", random(DType.F32, 5, 7));
        stored.put("blocks.0.bias", random(DType.BF16, 5));
        stored.put("ids", Tensor.of(new long[] {1, -2, 3}, 3));
        stored.put("scale", random(DType.F16));
        stored.put("empty", random(DType.F32, 0, 3));
        List<Tensor> loaded = load(
                LoadRules.of("transformer", DTypeRule.AUTO),
                LoadSettings.automatic().withReaders(readers).withIo(WeightsIo.of(io)),
                w -> List.of(
                        w.at("blocks").at(0).get("weight", 5, 7),
                        w.at("blocks").at(0).get("bias", 5),
                        w.get("ids", 3),
                        w.get("scale"),
                        w.get("empty", 0, 3)));
        List<Tensor> expected = new ArrayList<>(stored.values());
        for (int i = 0; i < expected.size(); i++) {
            assertThat(loaded.get(i).toString()).isEqualTo(expected.get(i).toString());
            assertThat(loaded.get(i).equal(expected.get(i))).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"1, read", "3, auto"})
    void a_requested_dtype_casts_floats_and_keeps_the_named_atoms_in_float32(int readers, String io)
            throws IOException {
        stored.put("norm1.weight", random(DType.BF16, 6));
        stored.put("norm_q.weight", random(DType.F32, 2, 3));
        stored.put("ids", Tensor.of(new long[] {7}, 1));
        List<Tensor> loaded = load(
                LoadRules.of("transformer", DTypeRule.of(DType.F16).keepingFloat32("norm1")),
                LoadSettings.automatic().withReaders(readers).withIo(WeightsIo.of(io)),
                w -> List.of(w.get("norm1.weight", 6), w.get("norm_q.weight", 2, 3), w.get("ids", 1)));
        assertThat(loaded).extracting(Tensor::dtype).containsExactly(DType.F32, DType.F16, DType.I64);
        assertThat(loaded.get(0).equal(stored.get("norm1.weight").to(DType.F32)))
                .isTrue();
        assertThat(loaded.get(1).equal(stored.get("norm_q.weight").to(DType.F16)))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({"0, 2, float32", "1, 2, float32", "0, 3, float32", "1, 3, bfloat16", "0, 5, bfloat16", "1, 4, float32"})
    void the_parts_of_all_ranks_make_up_the_whole_segment_by_segment(int dim, int ranks, String dtype)
            throws IOException {
        stored.put("fused", random(DType.F32, 12, 18));
        long[] segments = dim == 0 ? new long[] {4, 8} : new long[] {6, 2, 10};
        DTypeRule rule = DTypeRule.of(DType.ofName(dtype));
        List<Tensor> parts = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            Shard shard = new Shard(dim, rank, ranks, segments);
            parts.addAll(load(LoadRules.of("x", rule), w -> List.of(w.get("fused", shard, 12, 18))));
        }
        List<Tensor> pieces = new ArrayList<>();
        long[] at = new long[ranks];
        for (long segment : segments) {
            for (int rank = 0; rank < ranks; rank++) {
                long length = Split.length(segment, ranks, rank);
                pieces.add(parts.get(rank).narrow(dim, at[rank], length));
                at[rank] += length;
            }
        }
        assertThat(Tensor.cat(pieces, dim).equal(stored.get("fused").to(DType.ofName(dtype))))
                .isTrue();
    }

    @Test
    void everything_that_does_not_fit_is_said_at_once_before_anything_is_read() throws IOException {
        stored.put("to_q.weight", random(DType.F32, 4, 4));
        stored.put("to_k.weight", random(DType.F32, 4, 4));
        stored.put("extra.bias", random(DType.F32, 4));
        stored.put("fine", random(DType.F32, 1));
        stored.put("good", random(DType.F32, 1));
        assertThatThrownBy(() -> load(
                        LoadRules.of("transformer", DTypeRule.AUTO),
                        w -> List.of(
                                w.get("to_q.weight", 4, 8),
                                w.get("to_v.weight", 4, 4),
                                w.get("to_k.weight", 4, 4),
                                w.get("fine", 1),
                                w.get("good", 1))))
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault()).isEqualTo(Fault.BAD_INPUT))
                .hasMessageContaining("transformer: the weights in " + dir)
                .hasMessageContaining("to_v.weight [4, 4]; nearest: to_q.weight, to_k.weight")
                .hasMessageContaining("to_q.weight has the shape [4, 4]")
                .hasMessageContaining("config.json makes it [4, 8]")
                .hasMessageContaining("1 keys are not in the model: extra.bias");
    }

    @Test
    void unread_keys_are_a_warning_unless_strict_or_most_of_all_or_quantised() throws IOException {
        stored.put("a", random(DType.F32, 1));
        stored.put("b", random(DType.F32, 1));
        stored.put("visual.x", random(DType.F32, 1));
        LoadRules rules = LoadRules.of("x", DTypeRule.AUTO);
        Function<Weights, List<Tensor>> one = w -> List.of(w.get("a", 1));
        assertThatThrownBy(() -> load(rules, one)).hasMessageContaining("the weights of another model");
        LoadRules ignoring = rules.ignoring("visual.");
        assertThat(load(ignoring, one)).hasSize(1);
        assertThatThrownBy(() -> load(ignoring.strictly(true), one))
                .hasMessageContaining("1 keys are not in the model: b");
        stored.put("a.weight_scale", random(DType.F32, 1));
        assertThatThrownBy(() -> load(ignoring, one))
                .hasMessageContaining("quantised checkpoint, not supported")
                .hasMessageContaining("a.weight_scale");
    }

    @Test
    void names_that_changed_over_time_are_found() throws IOException {
        stored.put("model.language_model.norm.weight", random(DType.F32, 2));
        LoadRules rules = LoadRules.of("text_encoder", DTypeRule.AUTO)
                .withAlias(name -> name.replace("model.language_model.", "model."));
        List<Tensor> loaded = load(rules, w -> {
            assertThat(w.has("model.norm.weight")).isTrue();
            assertThat(w.at("model").has("norm.bias")).isFalse();
            return List.of(w.at("model").at("norm").get("weight", 2));
        });
        assertThat(loaded.get(0).equal(stored.get("model.language_model.norm.weight")))
                .isTrue();
        stored.put("model.norm.weight", random(DType.F32, 2));
        assertThatThrownBy(() -> load(rules, w -> List.of())).hasMessageContaining("are both model.norm.weight");
    }

    @Test
    void a_type_that_cannot_be_loaded_is_refused_only_where_it_is_asked_for() throws IOException {
        Path file = dir.resolve("model.safetensors");
        String json = "{\"a\":{\"dtype\":\"U16\",\"shape\":[1],\"data_offsets\":[0,2]},"
                + "\"f\":{\"dtype\":\"F8_E4M3\",\"shape\":[2],\"data_offsets\":[2,4]}}";
        byte[] bytes = new byte[8 + json.length() + 4];
        bytes[0] = (byte) json.length();
        System.arraycopy(json.getBytes(StandardCharsets.US_ASCII), 0, bytes, 8, json.length());
        bytes[bytes.length - 2] = 0x38; // 1.0
        Files.write(file, bytes);
        Checkpoint checkpoint = Checkpoint.open(ModelFolder.open(dir), "model");
        assertThatThrownBy(() -> plan(checkpoint, LoadRules.of("x", DTypeRule.AUTO), w -> w.get("a", 1)))
                .hasMessageContaining("dtype U16 of tensor a is not supported by jdiff");
        assertThatThrownBy(() -> plan(checkpoint, LoadRules.of("x", DTypeRule.AUTO), w -> w.get("f", 2)))
                .hasMessageContaining("float8 weights need a quantised layer");
        Tensor f = plan(checkpoint, LoadRules.of("x", DTypeRule.of(DType.F32)).ignoring("a"), w -> w.get("f", 2))
                .load(Device.CPU, scope);
        assertThat(f.toFloats()).containsExactly(1, 0);
    }

    @Test
    void nothing_stays_alive_but_what_the_model_took() throws IOException {
        stored.put("a", random(DType.F32, 4, 4));
        write();
        long before = Scope.liveTensors();
        try (Scope own = Scope.keep()) {
            Checkpoint checkpoint = Checkpoint.open(ModelFolder.open(dir), "model");
            // A layer that repacks its weight frees the tensor that it was given.
            plan(
                            checkpoint,
                            LoadRules.of("x", DTypeRule.AUTO),
                            w -> Scope.tidy(
                                    () -> w.get("a", 4, 4).transpose(0, 1).contiguous()))
                    .load(Device.CPU, own);
            assertThat(Scope.liveTensors()).isEqualTo(before + 1);
        }
        assertThat(Scope.liveTensors()).isEqualTo(before);
    }

    @Test
    void a_tied_parameter_is_read_once_and_shared() throws IOException {
        stored.put("embed", random(DType.F32, 3));
        List<Tensor> loaded =
                load(LoadRules.of("x", DTypeRule.AUTO), w -> List.of(w.get("embed", 3), w.get("embed", 3)));
        assertThat(loaded.get(0).equal(loaded.get(1))).isTrue();
    }

    private <T> LoadPlan<T> plan(Checkpoint checkpoint, LoadRules rules, Function<Weights, T> model)
            throws FaultException {
        return Weights.plan(checkpoint, rules, model);
    }

    private List<Tensor> load(LoadRules rules, Function<Weights, List<Tensor>> model) throws IOException {
        return load(rules, LoadSettings.automatic(), model);
    }

    private List<Tensor> load(LoadRules rules, LoadSettings settings, Function<Weights, List<Tensor>> model)
            throws IOException {
        write();
        LoadPlan<List<Tensor>> plan = plan(Checkpoint.open(ModelFolder.open(dir), "model"), rules, model);
        try (Loading loading = Loading.start(List.of(plan), Placement.on(Device.CPU), settings, new LoadMeter())) {
            return loading.take(plan, scope);
        }
    }

    private void write() throws IOException {
        try (OutputStream out = Files.newOutputStream(dir.resolve("model.safetensors"))) {
            SafetensorsWriter.write(out, stored, Map.of("format", "pt"));
        }
    }

    private Tensor random(DType dtype, long... shape) {
        try (Rng rng = new Rng(stored.size())) {
            return scope.hold(() -> rng.randn(dtype, shape));
        }
    }
}
