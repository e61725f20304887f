package jdiff.runtime.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.golden.Golden;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders that are not what they should be: refused with the place and what to do. */
class PipelineFolderTest {
    @TempDir
    private Path model;

    @BeforeEach
    void copyModel() throws IOException {
        Path golden = Golden.path("qwen_image/model");
        try (Stream<Path> files = Files.walk(golden)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = model.resolve(golden.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
    }

    private void edit(String file, String from, String to) throws IOException {
        Path path = model.resolve(file);
        Files.writeString(path, Files.readString(path).replace(from, to));
    }

    private void assertRefused(Fault fault, String... parts) {
        assertThatThrownBy(() -> Pipelines.open(model.toString()).close())
                .isInstanceOfSatisfying(FaultException.class, e -> {
                    assertThat(e.fault()).isEqualTo(fault);
                    assertThat(e.getMessage()).contains(parts);
                });
    }

    @Test
    void another_class_in_the_config_than_in_the_index_is_refused() throws IOException {
        edit("text_encoder/config.json", "Qwen2_5_VLForConditionalGeneration", "T5EncoderModel");
        assertRefused(
                Fault.BAD_INPUT, "text_encoder/config.json", "T5EncoderModel", "Qwen2_5_VLForConditionalGeneration");
        edit("text_encoder/config.json", "T5EncoderModel", "Qwen2_5_VLForConditionalGeneration");
        edit("vae/config.json", "AutoencoderKLQwenImage", "AutoencoderKLWan");
        assertRefused(Fault.BAD_INPUT, "vae/config.json", "AutoencoderKLWan", "AutoencoderKLQwenImage");
    }

    @Test
    void a_tokenizer_that_git_did_not_fetch_is_named() throws IOException {
        Files.writeString(model.resolve("tokenizer/tokenizer.json"), "version https://git-lfs.github.com/spec/v1\n");
        assertRefused(Fault.BAD_INPUT, "tokenizer/tokenizer.json: Git LFS pointer", "git lfs pull");
    }

    @Test
    void a_component_that_is_a_broken_link_is_named_as_such() throws IOException {
        Files.move(model.resolve("scheduler"), model.resolve("elsewhere"));
        Files.createSymbolicLink(model.resolve("scheduler"), Path.of("nowhere"));
        assertRefused(Fault.NO_INPUT, "scheduler is a link to a folder that does not exist");
    }
}
