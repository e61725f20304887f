package jdiff.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import jdiff.cli.Commands;
import jdiff.runtime.safetensors.SafetensorsWriter;
import jdiff.runtime.safetensors.StoredType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class InspectCommandTest {
    private static final Path DEMO = Path.of("../models/demo");
    private static final String STEM = "diffusion_pytorch_model";

    @TempDir
    private Path dir;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int inspect(Object... words) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        CommandLine line = Commands.line(new InspectCommand());
        Commands.configure(line, Map.of(), new PrintWriter(out, true), new PrintWriter(err, true));
        return line.execute(Stream.of(words).map(Object::toString).toArray(String[]::new));
    }

    private String text() {
        return out.toString();
    }

    /** Without the breaks of lines and columns. */
    private String words() {
        return text().replaceAll("\\s+", " ");
    }

    @Test
    void the_demo_model_is_told_by_component_with_what_one_rank_loads() {
        assertThat(inspect(DEMO)).isZero();
        assertThat(text())
                .contains("demo: QwenImagePipeline (Qwen-Image)")
                .contains("3 components with weights: 6 files, 13.4 MB, all ok; 6,692,867 parameters")
                .contains("transformer: QwenImageTransformer2DModel")
                .contains("stored     205 tensors, 3,678,400 parameters, 7.4 MB, BF16")
                .contains("in memory  84 tensors, 1,551,011 parameters, 3.1 MB, bfloat16; 62 tensors not read")
                .contains("without weights: scheduler FlowMatchEulerDiscreteScheduler, tokenizer Qwen2Tokenizer")
                .contains("11.2 MB  100.0 %")
                .doesNotContain("warning", "error");
        assertThat(text().lines()).allMatch(line -> line.length() <= 100);
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void every_tensor_is_listed_with_its_dtype_in_memory_and_what_a_rank_keeps() {
        assertThat(inspect(DEMO, "-v", "--dtype", "float32,vae=bfloat16", "--tp-degree", "2"))
                .isZero();
        assertThat(text().lines())
                .allMatch(line -> line.length() <= 100)
                .anyMatch(
                        line -> line.matches(
                                " +transformer_blocks\\.0\\.attn\\.to_k\\.weight +BF16 +float32 +\\[128,128] +32\\.8 kB +\\[64,128]"))
                .anyMatch(line -> line.matches(" +decoder\\.conv_in\\.bias +BF16 +bfloat16 +\\[64] +128 B +all"))
                .anyMatch(line -> line.matches(" +encoder\\.conv_in\\.bias +BF16 +not read .*"));
    }

    @Test
    void two_tensor_parallel_ranks_read_the_whole_once_and_what_is_not_cut_twice() throws IOException {
        assertThat(inspect(DEMO, "--json", "--tp-degree", "2", "--dp-degree", "3", "--dtype", "float32"))
                .isZero();
        Map<?, ?> report = json();
        Map<?, ?> grid = object(report, "grid");
        assertThat(grid.get("world_size")).isEqualTo(6L);
        List<Map<?, ?>> ranks = objects(grid, "ranks");
        assertThat(ranks).hasSize(6);
        assertThat(ranks.get(5).get("dp")).isEqualTo(2L);
        assertThat(ranks.get(5).get("tp")).isEqualTo(1L);
        for (String bytes : List.of("bytes_read", "bytes_in_memory")) {
            long uncut = 0;
            long[] kept = new long[2];
            for (Map<?, ?> component : objects(report, "components")) {
                for (Map<?, ?> tensor :
                        component.containsKey("tensors") ? objects(component, "tensors") : List.<Map<?, ?>>of()) {
                    if (tensor.get("memory_dtype") == null) {
                        continue;
                    }
                    List<Map<?, ?>> byTp = objects(tensor, "kept_by_tp");
                    for (int t = 0; t < 2; t++) {
                        kept[t] += number(byTp.get(t), bytes);
                    }
                    if (byTp.get(0).get("shape").equals(tensor.get("shape"))) {
                        uncut += number(byTp.get(0), bytes);
                    }
                }
            }
            long whole = number(object(grid, "whole"), bytes);
            assertThat(uncut).isPositive().isLessThan(whole);
            assertThat(kept[0] + kept[1]).isEqualTo(whole + uncut);
            for (int rank = 0; rank < 6; rank++) {
                assertThat(number(ranks.get(rank), bytes)).isEqualTo(kept[rank % 2]);
            }
        }
        assertThat(number(object(grid, "whole"), "bytes_in_memory"))
                .isEqualTo(2 * number(object(grid, "whole"), "bytes_read"));
    }

    @Test
    void shared_modulation_is_cut_like_any_other_layer() {
        assertThat(inspect(DEMO, "-v", "--tp-degree", "2", "--shard-modulation"))
                .isZero();
        assertThat(text().lines())
                .anyMatch(line ->
                        line.matches(" +transformer_blocks\\.0\\.img_mod\\.1\\.weight .*\\[768,128] .* \\[384,128]"));
    }

    @Test
    void a_degree_that_cuts_heads_is_a_warning() {
        assertThat(inspect(DEMO, "--tp-degree", "3")).isZero();
        assertThat(text()).contains("warning: transformer: tensor-parallel degree 3 does not divide 4 heads");
    }

    @Test
    void a_pipeline_that_jdiff_cannot_run_is_listed_all_the_same() throws IOException {
        Files.writeString(dir.resolve("model_index.json"), """
                {"_class_name": "OtherPipeline", "boundary_ratio": 0.9, "image_encoder": [null, null],
                 "scheduler": ["diffusers", "SomeScheduler"], "transformer": ["diffusers", "OtherModel"],
                 "text_encoder": ["transformers", "OtherEncoder"], "flags": [1, 2]}
                """);
        write("transformer/" + STEM + ".safetensors", StoredType.F16, "w", 6);
        write("text_encoder/model.safetensors", StoredType.BF16, "w", 4);
        write("forgotten/model.safetensors", StoredType.F8_E4M3, "w", 4);
        Files.createDirectories(dir.resolve("scheduler"));
        Files.writeString(dir.resolve("scheduler/scheduler_config.json"), "{}");
        assertThat(inspect(dir, "--dtype", "bfloat16")).isZero();
        assertThat(words())
                .contains("OtherPipeline, not run by this version of jdiff")
                .contains("transformer: OtherModel")
                .contains("1 tensor, 6 parameters, 12 B, F16")
                .contains("1 tensor, 4 parameters, 8 B, BF16")
                .contains("without weights: scheduler SomeScheduler")
                .contains("warning: dtypes and degrees have no effect")
                .contains("warning: forgotten: has weights, but model_index.json does not name it")
                .doesNotContain("in memory", "one rank");
        assertThat(inspect(dir, "--json")).isZero();
        assertThat(json().get("grid")).isNull();
    }

    @Test
    void one_broken_component_does_not_hide_the_others() throws IOException {
        copyDemo();
        Path vae = dir.resolve("vae/" + STEM + "-00002-of-00002.safetensors");
        Files.write(vae, Arrays.copyOf(Files.readAllBytes(vae), 1000));
        assertThat(inspect(dir)).isEqualTo(65);
        assertThat(words())
                .contains(STEM + "-00001-of-00002.safetensors 2.8 MB ok")
                .contains(STEM + "-00002-of-00002.safetensors 1.0 kB unusable")
                .contains("truncated or incomplete download")
                .contains("1 not ok")
                .contains("without vae, of which it is not known")
                .contains("205 tensors, 3,678,400 parameters, 7.4 MB, bfloat16");
        Files.delete(dir.resolve("transformer/" + STEM + "-00001-of-00003.safetensors"));
        assertThat(inspect(dir)).isEqualTo(66);
        assertThat(words())
                .contains("0 B missing")
                .contains("no such file, but the index names it")
                .contains("truncated or incomplete download")
                .contains("26 tensors, 355,200 parameters, 710.4 kB, bfloat16");
        assertThat(inspect(dir, "--json")).isEqualTo(66);
        Map<?, ?> report = json();
        assertThat(report.get("exit_code")).isEqualTo(66L);
        assertThat(object(report, "grid").get("complete")).isEqualTo(false);
        assertThat(objects(report, "findings"))
                .extracting(finding -> finding.get("component") + " " + finding.get("fault"))
                .containsExactly("transformer no-input", "vae bad-input");
    }

    @Test
    void keys_that_do_not_fit_the_config_are_findings() throws IOException {
        copyDemo();
        Path file = dir.resolve("text_encoder/model.safetensors");
        String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
        Files.writeString(
                file,
                bytes.replaceFirst("input_layernorm.weight", "inpot_layernorm.weight"),
                StandardCharsets.ISO_8859_1);
        assertThat(inspect(dir)).isEqualTo(65);
        assertThat(text())
                .contains("error: text_encoder: the weights in")
                .contains("missing (in no file of model.safetensors)")
                .contains("1 keys are not in the model: ")
                .contains("205 tensors, 3,678,400 parameters, 7.4 MB, bfloat16");
    }

    @Test
    void a_key_too_many_and_a_wrong_sum_are_warnings() throws IOException {
        copyDemo();
        write("transformer/extra.safetensors", StoredType.F32, "extra", 2);
        Path index = dir.resolve("transformer/" + STEM + ".safetensors.index.json");
        Files.writeString(
                index,
                Files.readString(index)
                        .replaceFirst("\"weight_map\": \\{", "\"weight_map\": {\"extra\": \"extra.safetensors\","));
        assertThat(inspect(dir)).isZero();
        assertThat(text().lines().filter(line -> line.startsWith("warning: "))).hasSize(2);
        assertThat(words())
                .contains("differs from the sum of its tensors")
                .contains("warning: transformer: 1 keys are not in the model: extra")
                .contains("1 tensor not read");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void a_stale_index_is_a_warning_and_files_without_a_use_are_told() throws IOException {
        write(STEM + ".safetensors", StoredType.F32, "w", 2);
        write(STEM + "-00002-of-00002.safetensors", StoredType.F32, "w", 2);
        Files.writeString(
                dir.resolve(STEM + ".safetensors.index.json"),
                "{\"weight_map\": {\"w\": \"" + STEM + "-00001-of-00002.safetensors\"}}");
        assertThat(inspect(dir)).isZero();
        assertThat(words()).contains("not used, ok").contains("warning: ").contains("is used instead");
        Files.write(dir.resolve(STEM + "-00002-of-00002.safetensors"), new byte[3]);
        assertThat(inspect(dir)).isZero();
        assertThat(words()).contains("not used, unusable").contains("not used, and damaged: ");
    }

    @Test
    void a_variant_is_looked_at_by_its_name() throws IOException {
        write(STEM + ".safetensors", StoredType.F32, "w", 2);
        write(STEM + ".fp16.safetensors", StoredType.F16, "w", 2);
        assertThat(inspect(dir, "--variant", "fp16")).isZero();
        assertThat(text()).contains("1 tensor, 2 parameters, 4 B, F16");
    }

    @Test
    void many_shards_are_counted_and_only_the_broken_ones_are_named() throws IOException {
        StringBuilder map = new StringBuilder();
        for (int i = 0; i < 300; i++) {
            String name = "%s-%05d-of-00300.safetensors".formatted(STEM, i + 1);
            write(name, StoredType.F32, "w" + i, 2);
            map.append(i == 0 ? "" : ",").append("\"w%d\": \"%s\"".formatted(i, name));
        }
        Files.writeString(dir.resolve(STEM + ".safetensors.index.json"), "{\"weight_map\": {" + map + "}}");
        assertThat(inspect(dir)).isZero();
        assertThat(text().lines()).hasSizeLessThan(8);
        assertThat(text()).contains("300 files").contains("all ok");
        Files.write(dir.resolve(STEM + "-00007-of-00300.safetensors"), new byte[9]);
        assertThat(inspect(dir)).isEqualTo(65);
        assertThat(text().lines()).hasSizeLessThan(12);
        assertThat(text()).contains("1 not ok").contains(STEM + "-00007-of-00300.safetensors  9 B  unusable");
        assertThat(inspect(dir, "--tensors")).isEqualTo(65);
        assertThat(text()).contains("00001-of-00300").contains("00300-of-00300");
    }

    @Test
    void names_of_strangers_do_nothing_to_a_terminal_and_come_back_from_json() throws IOException {
        String evil = "a\u001b[31m\nwarning: x\u007f\u009b\u202e" + "y".repeat(4000);
        write("any.safetensors", StoredType.F32, evil, 2);
        Path copy = Files.copy(dir.resolve("any.safetensors"), dir.resolve("b\nwarning: \u001b.safetensors"));
        assertThat(inspect(copy, "-v")).isZero();
        assertThat(text().lines()).noneMatch(line -> line.startsWith("warning"));
        assertThat(text()).doesNotContain("\u001b");
        assertThat(inspect(dir.resolve("any.safetensors"), "-v")).isZero();
        assertThat(text().replace("\n", "").chars().noneMatch(Character::isISOControl))
                .isTrue();
        assertThat(text()).contains("a\\u001b[31m\\u000awarning: x").contains("characters)");
        assertThat(inspect(dir.resolve("any.safetensors"), "--json")).isZero();
        assertThat(text().chars().allMatch(c -> c < 0x7f || c == 0x7f)).isTrue();
        assertThat(objects(objects(json(), "components").get(0), "tensors")
                        .get(0)
                        .get("name"))
                .isEqualTo(evil);
    }

    @Test
    void files_are_compared_with_their_names_in_a_hub_cache() throws Exception {
        Path snapshot = Files.createDirectories(dir.resolve("models--o--n/snapshots/abc"));
        Path blobs = Files.createDirectories(dir.resolve("models--o--n/blobs"));
        Files.writeString(snapshot.resolve("model_index.json"), """
                {"_class_name": "OtherPipeline", "unet": ["diffusers", "A"], "vae": ["diffusers", "B"]}
                """);
        write("new", StoredType.F32, "w", 2);
        byte[] content = Files.readAllBytes(dir.resolve("new"));
        String name =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        Files.write(blobs.resolve(name), content);
        Path link = Files.createDirectories(snapshot.resolve("unet")).resolve(STEM + ".safetensors");
        Files.createSymbolicLink(link, Path.of("../../../blobs/" + name));
        Files.write(Files.createDirectories(snapshot.resolve("vae")).resolve(STEM + ".safetensors"), content);
        assertThat(inspect(snapshot, "--verify-weights")).isZero();
        assertThat(words()).contains("sha256 1 ok").contains("sha256 1 not verifiable (not in a hub cache)");

        assertThat(inspect(snapshot.resolve("unet"), "--verify-weights")).isZero();
        assertThat(words()).contains("unet: A").contains("ok, sha256 ok");
        assertThat(inspect(link, "--verify-weights")).isZero();
        assertThat(words()).contains("ok, sha256 ok");

        content[content.length - 1] ^= 1;
        Files.write(blobs.resolve(name), content);
        assertThat(inspect(snapshot, "--verify-weights")).isEqualTo(65);
        assertThat(words()).contains("ok, sha256 differs").contains("the hub cache names it " + name);
        assertThat(inspect(snapshot)).isZero();
    }

    @Test
    void files_in_a_folder_that_is_no_component_are_listed_one_by_one() throws IOException {
        write("b.safetensors", StoredType.F32, "w", 2);
        write("a.safetensors", StoredType.F32, "v", 2);
        assertThat(inspect(dir)).isZero();
        assertThat(text()).contains("a.safetensors").contains("b.safetensors").contains("2 tensors");
        Files.writeString(dir.resolve("config.json"), "{\"_class_name\": \"X\"}");
        assertThat(inspect(dir)).isEqualTo(66);
        assertThat(text()).contains("no weights: looked for").contains(": X");
    }

    @Test
    void where_there_is_nothing_to_list_the_reason_is_the_message() throws IOException {
        assertThat(inspect(dir.resolve("nowhere"))).isEqualTo(66);
        assertThat(err.toString()).contains("no such folder");
        assertThat(inspect(dir)).isEqualTo(66);
        assertThat(err.toString()).contains("no weights: looked for").contains("the folder holds nothing");
        Files.write(dir.resolve(STEM + ".bin"), new byte[4]);
        assertThat(inspect(dir)).isEqualTo(66);
        assertThat(err.toString()).contains("only pickle weights found");
        Files.writeString(dir.resolve("x.safetensors"), "version https://git-lfs.github.com/spec/v1\nsize 77\n");
        assertThat(inspect(dir.resolve("x.safetensors"))).isEqualTo(65);
        assertThat(text()).contains("Git LFS pointer").contains("77 bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "{}", "{\"_class_name\": 7}", "{\"_class_name\": \"QwenImagePipeline\"", "nonsense"})
    void a_bad_index_is_told(String index) throws IOException {
        Files.writeString(dir.resolve("model_index.json"), index);
        assertThat(inspect(dir)).isEqualTo(65);
        assertThat(err.toString()).contains("model_index.json");
    }

    @Test
    void an_empty_folder_of_a_supported_pipeline_tells_all_that_is_missing() throws IOException {
        Files.writeString(dir.resolve("model_index.json"), """
                {"_class_name": "QwenImagePipeline", "../x": ["diffusers", "Y"], "vae": ["diffusers", "AutoencoderKLQwenImage"]}
                """);
        assertThat(inspect(dir)).isEqualTo(66);
        assertThat(words())
                .contains("names no text_encoder, which this pipeline needs")
                .contains("names no transformer, which this pipeline needs")
                .contains("vae is missing")
                .contains("\"../x\" is not a plain file name");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--tp-degree=0        | tp-degree must be an integer of at least 1, got 0",
                "--cfg-degree=3       | cfg-degree must be 1 or 2, got 3",
                "--ring-degree=x      | ring-degree must be an integer of at least 1, got x",
                "--dp-degree=5000     | is too large: wanted at most 4096 ranks",
                "--tp-degree=1000     | is too large",
                "--dtype=int8         | dtype \"int8\" is not known",
                "--dtype=float32,x=fp16 | this model has no component x with weights",
            })
    void bad_options_are_usage(String option, String message) {
        assertThat(inspect(DEMO, option)).isEqualTo(2);
        assertThat(err.toString()).contains(message);
    }

    private void copyDemo() throws IOException {
        try (Stream<Path> all = Files.walk(DEMO)) {
            for (Path path : all.sorted().toList()) {
                Path copy = dir.resolve(DEMO.relativize(path).toString());
                if (Files.isDirectory(path)) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(path, copy);
                }
            }
        }
    }

    private void write(String file, StoredType type, String tensor, int elements) throws IOException {
        Path path = dir.resolve(file);
        Files.createDirectories(path.getParent());
        try (OutputStream stream = Files.newOutputStream(path)) {
            SafetensorsWriter.write(
                    stream, tensor, type, new long[] {elements}, new byte[elements * type.bits() / 8], Map.of());
        }
    }

    private Map<?, ?> json() throws IOException {
        try (JsonParser parser = new JsonFactory().createParser(text())) {
            parser.nextToken();
            Map<?, ?> object = (Map<?, ?>) value(parser);
            assertThat(parser.nextToken()).isNull();
            return object;
        }
    }

    private static Object value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, Object> members = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String key = parser.currentName();
                    parser.nextToken();
                    assertThat(members.put(key, value(parser))).as(key).isNull();
                    assertThat(key).matches("[a-zA-Z0-9_]+");
                }
                yield members;
            }
            case START_ARRAY -> {
                List<Object> items = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    items.add(value(parser));
                }
                yield items;
            }
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
            default -> null;
        };
    }

    private static Map<?, ?> object(Map<?, ?> in, String key) {
        return (Map<?, ?>) in.get(key);
    }

    private static List<Map<?, ?>> objects(Map<?, ?> in, String key) {
        List<Map<?, ?>> objects = new ArrayList<>();
        ((List<?>) in.get(key)).forEach(item -> objects.add((Map<?, ?>) item));
        return objects;
    }

    private static long number(Map<?, ?> in, String key) {
        return (Long) in.get(key);
    }
}
