package jdiff.runtime.weights;

import static jdiff.runtime.weights.WeightFolder.refused;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import jdiff.runtime.config.ModelFolder;
import jdiff.runtime.fault.Fault;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What must hold between an index, its shards, the folder that holds them and the rest of the disk. */
class IndexRulesTest {
    private static final String INDEX = "model.safetensors.index.json";

    @TempDir
    Path temp;

    private WeightFolder folder;

    @BeforeEach
    void folder() {
        folder = new WeightFolder(temp.resolve("text_encoder"), "model");
    }

    @Test
    void a_tensor_that_the_index_does_not_name_may_be_used_with_a_warning_unless_strict() throws Throwable {
        folder.file("1.safetensors", "a", "b", "c");
        folder.index(INDEX, "a=1.safetensors");
        String first = "does not name 2 tensors of its shards, first b in "
                + folder.dir().resolve("1.safetensors");
        Checkpoint opened = folder.open(null);
        assertThat(opened.tensors()).containsOnlyKeys("a", "b", "c");
        assertThat(opened.notes()).singleElement().asString().contains(INDEX, first);
        refused(() -> folder.open(null, true), Fault.BAD_INPUT, INDEX, first);
    }

    @Test
    void a_tensor_of_two_shards_that_the_index_does_not_name_is_refused() throws IOException {
        folder.file("1.safetensors", "a", "b");
        folder.file("2.safetensors", "b", "c");
        folder.index(INDEX, "a=1.safetensors", "c=2.safetensors");
        refused(
                () -> folder.open(null),
                Fault.BAD_INPUT,
                "tensor b is in both " + folder.dir().resolve("1.safetensors"),
                "and " + folder.dir().resolve("2.safetensors"),
                INDEX + " names neither");
    }

    @Test
    void a_total_size_that_is_wrong_is_a_warning_with_both_numbers() throws Throwable {
        folder.file("1.safetensors", "a", "b");
        folder.index(INDEX, "a=1.safetensors", "b=1.safetensors");
        Path file = folder.dir().resolve(INDEX);
        String plain = Files.readString(file);
        for (String fine : new String[] {"{\"total_size\":2}", "{}", "{\"total_size\":\"2\"}", "null", "[[2]]"}) {
            Files.writeString(file, plain.replaceFirst("\\{", "{\"metadata\":" + fine + ","));
            assertThat(folder.open(null, true).notes()).as(fine).isEmpty();
        }
        for (String wrong : new String[] {"7", "-2", "9".repeat(20)}) {
            Files.writeString(file, plain.replaceFirst("\\{", "{\"metadata\":{\"total_size\":" + wrong + "},"));
            assertThat(folder.open(null, true).notes())
                    .singleElement()
                    .asString()
                    .contains(INDEX + ": total_size " + wrong + " differs from the sum of its tensors, 2");
        }
    }

    @Test
    void a_stale_index_is_named_where_the_single_file_stands_in() throws Throwable {
        folder.file("model.safetensors", "a");
        folder.index(INDEX, "a=gone.safetensors");
        Checkpoint opened = folder.open(null);
        assertThat(opened.tensors()).containsOnlyKeys("a");
        assertThat(opened.notes())
                .singleElement()
                .asString()
                .contains(INDEX + " names the missing shard gone.safetensors; model.safetensors is used instead");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../1.safetensors",
                "/etc/passwd",
                "a/b.safetensors",
                "a\\\\b.safetensors",
                ".",
                "..",
                "",
                "1 .safetensors",
                "1.safetensors\\u0000",
                "é.safetensors"
            })
    void a_value_that_is_no_plain_name_is_refused_with_its_place(String value) throws IOException {
        folder.file("1.safetensors", "a");
        folder.index(INDEX, "a=" + value);
        refused(() -> folder.open(null), Fault.BAD_INPUT, INDEX + ":1:20: weight_map: \"", "is not a plain file name");
    }

    @Test
    void a_value_of_another_type_or_a_name_twice_is_refused_with_its_place() throws IOException {
        folder.file("1.safetensors", "a");
        Path file = folder.dir().resolve(INDEX);
        for (String value : new String[] {"7", "null", "[\"1.safetensors\"]", "{}"}) {
            Files.writeString(file, "{\"weight_map\":{\"a\":" + value + "}}");
            refused(() -> folder.open(null), Fault.BAD_INPUT, INDEX + ":1:20: wanted the file that holds a, found ");
        }
        Files.writeString(file, "{\"weight_map\":[]}");
        refused(() -> folder.open(null), Fault.BAD_INPUT, INDEX + ":1:15: wanted weight_map to be an object");
        folder.index(INDEX, "a=1.safetensors", "a=1.safetensors");
        refused(() -> folder.open(null), Fault.BAD_INPUT, INDEX + ":1:", "Duplicate field 'a'");
    }

    @Test
    void links_may_lead_anywhere_inside_the_model_folder_but_not_out_of_it() throws IOException {
        var shared = new WeightFolder(temp.resolve("shared"), "model");
        shared.file("weights", "a");
        Files.createDirectories(folder.dir());
        Files.createSymbolicLink(folder.dir().resolve("1.safetensors"), Path.of("../shared/weights"));
        folder.index(INDEX, "a=1.safetensors");
        ModelFolder model = ModelFolder.open(temp).sub("text_encoder");
        assertThat(Checkpoint.open(model, "model").tensors()).containsOnlyKeys("a");
        // The component folder alone: the same link leads out of it.
        refused(
                () -> folder.open(null),
                Fault.BAD_INPUT,
                "1.safetensors: links to " + shared.dir().resolve("weights"),
                "outside the model folder " + folder.dir());
    }

    @Test
    void shards_and_index_of_a_hub_cache_are_links_into_the_blobs_of_its_entry() throws IOException {
        Path entry = temp.resolve("models--o--n");
        var blobs = new WeightFolder(entry.resolve("blobs"), "model");
        blobs.file("sha1", "a");
        blobs.file("sha2", "b");
        blobs.index("sha3", "a=1.safetensors", "b=2.safetensors");
        Path snapshot = entry.resolve("snapshots/abc/text_encoder");
        Files.createDirectories(snapshot);
        Files.createSymbolicLink(snapshot.resolve("1.safetensors"), Path.of("../../../blobs/sha1"));
        Files.createSymbolicLink(snapshot.resolve("2.safetensors"), Path.of("../../../blobs/sha2"));
        Files.createSymbolicLink(snapshot.resolve(INDEX), Path.of("../../../blobs/sha3"));
        ModelFolder model = ModelFolder.open(entry.resolve("snapshots/abc")).sub("text_encoder");
        assertThat(Checkpoint.open(model, "model").tensors()).containsOnlyKeys("a", "b");

        var other = new WeightFolder(temp.resolve("models--o--other/blobs"), "model");
        other.file("sha1", "a");
        Files.delete(snapshot.resolve("1.safetensors"));
        Files.createSymbolicLink(snapshot.resolve("1.safetensors"), other.dir().resolve("sha1"));
        refused(() -> Checkpoint.open(model, "model"), Fault.BAD_INPUT, "outside the model folder");
    }

    @Test
    void an_index_that_is_a_link_to_nowhere_is_named_as_that() throws IOException {
        folder.file("model.safetensors", "a");
        Files.createSymbolicLink(folder.dir().resolve(INDEX), Path.of("nowhere"));
        refused(() -> folder.open(null), Fault.NO_INPUT, INDEX + ": a link to a file that does not exist");
    }

    @Test
    void the_headers_of_all_shards_have_one_limit_together() throws IOException {
        Files.createDirectories(folder.dir());
        byte[] half = new byte[8 + 50_000_001];
        Arrays.fill(half, (byte) ' ');
        ByteBuffer.wrap(half)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(half.length - 8)
                .put((byte) '{')
                .put((byte) '}');
        Files.write(folder.dir().resolve("1.safetensors"), half);
        Files.createSymbolicLink(folder.dir().resolve("2.safetensors"), Path.of("1.safetensors"));
        folder.index(INDEX, "a=1.safetensors", "b=2.safetensors");
        refused(
                () -> folder.open(null),
                Fault.BAD_INPUT,
                INDEX + ": the headers of its shards up to 2.safetensors have 100000002 bytes together",
                "above the limit of 100000000");
    }

    @Test
    void a_folder_of_other_files_is_told_what_was_looked_for() throws IOException {
        folder.file("adapter.safetensors", "a");
        refused(
                () -> folder.open(null),
                Fault.NO_INPUT,
                "looked for model.safetensors and " + INDEX + "; the folder holds adapter.safetensors");
        Files.write(folder.dir().resolve("model.bin"), new byte[1]);
        Files.write(folder.dir().resolve("pytorch_model.pt"), new byte[1]);
        refused(
                () -> folder.open(null),
                Fault.NO_INPUT,
                "only pickle weights found (model.bin, pytorch_model.pt); jdiff reads safetensors only");
    }
}
