package jdiff.runtime.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import jdiff.runtime.config.ModelFolder;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.safetensors.SafetensorsWriter;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointTest {
    private static final String STEM = "diffusion_pytorch_model";

    @TempDir
    Path dir;

    @Test
    void an_index_says_which_shard_holds_a_tensor_that_two_of_them_have() throws IOException {
        shard("1.safetensors", "a", "b");
        shard("2.safetensors", "b", "c");
        index("{\"weight_map\":{\"a\":\"1.safetensors\",\"b\":\"2.safetensors\",\"c\":\"2.safetensors\"}}");
        Checkpoint checkpoint = open(null);
        assertThat(checkpoint.tensors().keySet()).containsExactly("a", "b", "c");
        assertThat(checkpoint.tensors().get("b").file().path()).hasFileName("2.safetensors");
    }

    @Test
    void the_index_wins_unless_it_names_a_missing_shard_beside_a_whole_single_file() throws IOException {
        shard("1.safetensors", "a");
        shard(STEM + ".safetensors", "a");
        index("{\"weight_map\":{\"a\":\"1.safetensors\"}}");
        assertThat(open(null).files().get(0).path()).hasFileName("1.safetensors");
        Files.delete(dir.resolve("1.safetensors"));
        assertThat(open(null).files().get(0).path()).hasFileName(STEM + ".safetensors");
        Files.write(dir.resolve(STEM + ".safetensors"), new byte[3]);
        refused(() -> open(null), Fault.NO_INPUT, "names the shard 1.safetensors, which is missing");
    }

    @Test
    void a_variant_is_found_and_a_missing_one_is_told_what_there_is() throws IOException {
        shard(STEM + ".fp16.safetensors", "half");
        shard(STEM + ".safetensors", "full");
        assertThat(open("fp16").tensors()).containsOnlyKeys("half");
        assertThat(open(null).tensors()).containsOnlyKeys("full");
        refused(() -> open("bf16"), Fault.NO_INPUT, "weights of variant bf16", "the variants fp16");
    }

    @Test
    void pickle_is_never_read() throws IOException {
        Files.write(dir.resolve(STEM + ".bin"), new byte[10]);
        refused(
                () -> open(null),
                Fault.NO_INPUT,
                "only pickle weights found (" + STEM + ".bin); jdiff reads safetensors only");
    }

    @Test
    void index_and_shards_must_agree() throws IOException {
        shard("1.safetensors", "a");
        shard("2.safetensors", "x");
        index("{\"weight_map\":{\"b\":\"1.safetensors\"}}");
        refused(() -> open(null), Fault.BAD_INPUT, "tensor b is not in its shard 1.safetensors");
        index("{\"weight_map\":{\"a\":\"../1.safetensors\"}}");
        refused(() -> open(null), Fault.BAD_INPUT, ":1:20: ", "\"../1.safetensors\" is not a plain file name");
        index("{\"weight_map\":{\"a\":7}}");
        refused(() -> open(null), Fault.BAD_INPUT, "wanted the file that holds a, found 7");
        index("{\"metadata\":{}}");
        refused(() -> open(null), Fault.BAD_INPUT, "weight_map is missing");
        index("{\"metadata\":{\"total_size\":1},\"weight_map\":{\"a\":\"1.safetensors\"}}");
        assertThat(open(null).tensors()).containsOnlyKeys("a");
    }

    @Test
    void links_may_not_lead_out_of_the_model_but_into_the_blobs_of_its_cache_entry() throws IOException {
        Path entry = dir.resolve("models--o--n");
        Path snapshot = Files.createDirectories(entry.resolve("snapshots").resolve("abc"));
        Path blobs = Files.createDirectories(entry.resolve("blobs"));
        write(blobs.resolve("sha"), "a");
        Path unet = Files.createDirectories(snapshot.resolve("unet"));
        Files.createSymbolicLink(unet.resolve("model.safetensors"), Path.of("../../../blobs/sha"));
        ModelFolder model = ModelFolder.open(snapshot);
        assertThat(Checkpoint.open(model.sub("unet"), "model").tensors()).containsOnlyKeys("a");

        write(dir.resolve("outside"), "a");
        Files.delete(unet.resolve("model.safetensors"));
        Files.createSymbolicLink(unet.resolve("model.safetensors"), dir.resolve("outside"));
        refused(() -> Checkpoint.open(model.sub("unet"), "model"), Fault.BAD_INPUT, "outside the model folder");
        refused(() -> model.sub("vae"), Fault.NO_INPUT, "component folder " + snapshot.resolve("vae"));
        refused(() -> model.sub(".."), Fault.BAD_INPUT, "is not a plain file name");
    }

    private Checkpoint open(String variant) throws FaultException {
        return new WeightFolder(dir, STEM).open(variant);
    }

    private void index(String json) throws IOException {
        Files.writeString(dir.resolve(STEM + ".safetensors.index.json"), json);
    }

    private void shard(String name, String... tensors) throws IOException {
        write(dir.resolve(name), tensors);
    }

    private static void write(Path file, String... tensors) throws IOException {
        try (Scope scope = Scope.keep();
                OutputStream out = Files.newOutputStream(file)) {
            Map<String, Tensor> content = new TreeMap<>();
            for (String name : tensors) {
                content.put(name, scope.hold(() -> Tensor.of(new float[] {1}, 1)));
            }
            SafetensorsWriter.write(out, content, Map.of());
        }
    }

    private static void refused(ThrowingCallable call, Fault fault, String... messages) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault()).isEqualTo(fault))
                .hasMessageContainingAll(messages);
    }
}
