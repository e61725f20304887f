package jdiff.runtime.weights;

import static jdiff.runtime.weights.WeightFolder.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import jdiff.runtime.config.ModelFolder;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.golden.Golden;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VariantsTest {
    @TempDir
    Path dir;

    private WeightFolder unet;
    private WeightFolder text;

    @BeforeEach
    void folders() {
        unet = new WeightFolder(dir.resolve("unet"), "diffusion_pytorch_model");
        text = new WeightFolder(dir.resolve("text_encoder"), "model");
    }

    private Map<String, WeightFiles> choose(String variant) throws IOException {
        return Variants.choose(List.of(text.component("text_encoder"), unet.component("unet")), variant);
    }

    @Test
    void a_component_without_the_variant_uses_its_plain_files_with_one_warning() throws Throwable {
        unet.file("diffusion_pytorch_model.fp16.safetensors", "half");
        unet.file("diffusion_pytorch_model.safetensors", "full");
        text.file("model.safetensors", "full");
        Map<String, WeightFiles> chosen = choose("fp16");
        assertThat(chosen.keySet()).containsExactly("text_encoder", "unet");
        assertThat(chosen.get("unet").variant()).isEqualTo("fp16");
        assertThat(chosen.get("text_encoder").variant()).isNull();
        Checkpoint half = Checkpoint.open(chosen.get("unet"), false);
        assertThat(half.tensors()).containsOnlyKeys("half");
        assertThat(half.notes()).isEmpty();
        Checkpoint full = Checkpoint.open(chosen.get("text_encoder"), false);
        assertThat(full.tensors()).containsOnlyKeys("full");
        assertThat(full.notes())
                .singleElement()
                .asString()
                .contains("text_encoder: " + text.dir() + " holds no weights of variant fp16");
    }

    @Test
    void nothing_is_said_where_no_variant_is_asked_for() throws Throwable {
        unet.file("diffusion_pytorch_model.fp16.safetensors", "half");
        unet.file("diffusion_pytorch_model.safetensors", "full");
        text.file("model.safetensors", "full");
        for (WeightFiles files : choose(null).values()) {
            Checkpoint opened = Checkpoint.open(files, true);
            assertThat(opened.tensors()).containsOnlyKeys("full");
            assertThat(opened.notes()).isEmpty();
        }
    }

    @Test
    void a_variant_that_no_component_has_is_told_which_there_are() throws IOException {
        unet.file("diffusion_pytorch_model.safetensors", "full");
        unet.file("diffusion_pytorch_model.fp16.safetensors", "half");
        unet.index("diffusion_pytorch_model.safetensors.index.ema.json", "a=b");
        unet.index("diffusion_pytorch_model.safetensors.old.index.json", "a=b");
        unet.file("diffusion_pytorch_model.cut-00001-of-00002.safetensors", "half");
        text.file("model.safetensors", "full");
        refused(
                () -> choose("bf16"),
                Fault.NO_INPUT,
                "no component has weights of variant bf16",
                "text_encoder has none (looked for model.bf16.safetensors and its index",
                "unet has the variants ema, fp16, old (looked for diffusion_pytorch_model.bf16.safetensors",
                unet.dir() + " holds diffusion_pytorch_model.cut-00001-of-00002.safetensors, ");
        assertThat(Variants.choose(List.of(), "bf16")).isEmpty();
        assertThatThrownBy(() -> choose("../x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("variant \"../x\" is not a plain name");
    }

    @Test
    void a_component_with_neither_the_variant_nor_plain_files_has_no_weights() throws IOException {
        unet.file("diffusion_pytorch_model.fp16.safetensors", "half");
        text.file("model.bf16.safetensors", "half");
        refused(
                () -> choose("fp16"),
                Fault.NO_INPUT,
                text.dir() + ": no weights: looked for model.safetensors and model.safetensors.index.json",
                "the folder holds model.bf16.safetensors; variants available: bf16");
    }

    @Test
    void an_index_comes_before_a_legacy_index_before_a_single_file() throws Throwable {
        unet.file("diffusion_pytorch_model.fp16-00001-of-00001.safetensors", "now");
        unet.file("diffusion_pytorch_model-00001-of-00001.fp16.safetensors", "legacy");
        unet.file("diffusion_pytorch_model.fp16.safetensors", "single");
        String now = "diffusion_pytorch_model.safetensors.index.fp16.json";
        String legacy = "diffusion_pytorch_model.safetensors.fp16.index.json";
        unet.index(now, "now=diffusion_pytorch_model.fp16-00001-of-00001.safetensors");
        unet.index(legacy, "legacy=diffusion_pytorch_model-00001-of-00001.fp16.safetensors");
        assertThat(unet.open("fp16").tensors()).containsOnlyKeys("now");
        Files.delete(unet.dir().resolve(now));
        assertThat(unet.open("fp16").tensors()).containsOnlyKeys("legacy");
        Files.delete(unet.dir().resolve(legacy));
        assertThat(unet.open("fp16").tensors()).containsOnlyKeys("single");
    }

    @Test
    void legacy_names_are_read_with_one_warning() throws Throwable {
        var legacy = new WeightFolder(Golden.path("loading/variant_sharded_legacy"), "diffusion_pytorch_model");
        assertThat(legacy.open("fp16").notes())
                .filteredOn(line -> line.contains("legacy form"))
                .singleElement()
                .asString()
                .contains("diffusion_pytorch_model.safetensors.fp16.index.json has the legacy form");
        String shards = "diffusion_pytorch_model-0000%d-of-00002.fp16.safetensors";
        unet.file(shards.formatted(1), "a");
        unet.file(shards.formatted(2), "b");
        unet.index(
                "diffusion_pytorch_model.safetensors.index.fp16.json",
                "a=" + shards.formatted(1),
                "b=" + shards.formatted(2));
        assertThat(unet.open("fp16").notes())
                .singleElement()
                .asString()
                .contains(shards.formatted(1) + " has the legacy form");
    }

    @Test
    void two_variants_are_never_mixed() throws IOException {
        unet.file("diffusion_pytorch_model-00001-of-00002.safetensors", "a");
        unet.file("diffusion_pytorch_model.fp16-00002-of-00002.safetensors", "b");
        String[] mixed = {
            "a=diffusion_pytorch_model-00001-of-00002.safetensors",
            "b=diffusion_pytorch_model.fp16-00002-of-00002.safetensors"
        };
        unet.index("diffusion_pytorch_model.safetensors.index.json", mixed);
        refused(
                () -> unet.open(null),
                Fault.BAD_INPUT,
                "diffusion_pytorch_model.safetensors.index.json: mixes two variants",
                "the shard diffusion_pytorch_model.fp16-00002-of-00002.safetensors of fp16");
        unet.index("diffusion_pytorch_model.safetensors.index.fp16.json", mixed);
        refused(
                () -> unet.open("fp16"),
                Fault.BAD_INPUT,
                "index.fp16.json: mixes two variants",
                "the shard diffusion_pytorch_model-00001-of-00002.safetensors of none");
    }

    @Test
    void a_missing_shard_of_a_variant_is_replaced_by_its_single_file_only() throws IOException {
        unet.index("diffusion_pytorch_model.safetensors.index.fp16.json", "a=gone.safetensors");
        unet.file("diffusion_pytorch_model.safetensors", "full");
        refused(() -> unet.open("fp16"), Fault.NO_INPUT, "names the shard gone.safetensors, which is missing");
        unet.file("diffusion_pytorch_model.fp16.safetensors", "half");
        assertThat(unet.open("fp16").tensors()).containsOnlyKeys("half");
        assertThat(Checkpoint.open(ModelFolder.open(unet.dir()), unet.stem()).tensors())
                .containsOnlyKeys("full");
    }
}
