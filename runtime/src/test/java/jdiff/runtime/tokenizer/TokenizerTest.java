package jdiff.runtime.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.golden.Golden;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenizerTest {
    @TempDir
    Path dir;

    @BeforeEach
    void copyFolder() throws Exception {
        Path from = Golden.path("qwen_image_batch/model/tokenizer");
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, dir.resolve(file.getFileName().toString()));
            }
        }
    }

    @Test
    void the_part_that_is_cut_is_named_in_the_words_of_the_text() throws FaultException {
        try (Tokenizer tokenizer = Tokenizer.open(dir)) {
            String text = "a 😀 red circle above the blue square";
            int[] ids = tokenizer.encode(text);
            assertThat(tokenizer.textFrom(text, ids.length)).isEmpty();
            assertThat(tokenizer.textFrom(text, ids.length - 1)).isEqualTo(" square");
            assertThat(tokenizer.textFrom(text, 0)).isEqualTo(text);
            assertThat(tokenizer.decode(ids)).isEqualTo(text);
        }
    }

    @Test
    void lone_surrogates_never_reach_the_library() throws FaultException {
        try (Tokenizer tokenizer = Tokenizer.open(dir)) {
            assertThatThrownBy(() -> tokenizer.encode("a\ud800b"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("lone surrogate at character 1");
        }
    }

    @Test
    void a_tokenizer_of_another_model_is_refused() throws FaultException {
        try (Tokenizer tokenizer = Tokenizer.open(dir)) {
            tokenizer.requireFits(663);
            assertThatThrownBy(() -> tokenizer.requireFits(500)).hasMessageContaining("gives ids up to 662");
        }
    }

    @Test
    void a_closed_tokenizer_is_not_used() throws FaultException {
        Tokenizer tokenizer = Tokenizer.open(dir);
        tokenizer.close();
        tokenizer.close();
        assertThatThrownBy(() -> tokenizer.encode("a")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void a_folder_without_tokenizer_files_is_told_what_was_looked_for() throws IOException {
        Files.delete(dir.resolve("merges.txt"));
        assertThatThrownBy(() -> Tokenizer.open(dir))
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault()).isEqualTo(Fault.NO_INPUT))
                .hasMessageContaining("looked for tokenizer.json, or vocab.json with merges.txt")
                .hasMessageContaining("vocab.json");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "merges.txt        | `#version: 0.2\nĠ`          | merges.txt:2:1: wanted two tokens",
                "merges.txt        | `#version: 0.2\nĠ t\na Q`   | merges.txt:3:1: the merge",
                "vocab.json        | {\"a\": 0, \"b\": 0}        | the id 0 of token \"b\" is given to another",
                "vocab.json        | {\"a\": -1}                 | wanted the id of token \"a\"",
                "vocab.json        | {\"a\": 1.5}                | wanted the id of token \"a\"",
                "vocab.json        | {\"a\": 99999999}           | wanted the id of token \"a\"",
                "vocab.json        | []                          | vocab.json:1:1: wanted an object",
                "vocab.json        | {}                          | the vocabulary is empty",
                "added_tokens.json | {\"<x>\": 700}              | added token <x> should have the id 700",
                "added_tokens.json | {\"<x>\": 656, \"<y>\": 656} | the id 656 is given to two added tokens",
                "tokenizer.json    | {}                          | no model with a vocabulary",
                "tokenizer.json    | {\"model\":{\"type\":\"Nope\",\"vocab\":{\"a\":0}}} | not a tokenizer",
                "tokenizer.json    | {\"pre_tokenizer\":{\"type\":\"Split\",\"pattern\":{\"Regex\":\"(a+)+$\"}}} "
                        + "| unknown pattern (a+)+$",
                "tokenizer.json    | {\"normalizer\":[{\"x\":{\"Regex\":[]}}]}           | unknown pattern",
            })
    void damaged_files_are_named_before_the_library_sees_them(String file, String text, String message)
            throws IOException {
        Files.writeString(dir.resolve(file), text);
        assertThatThrownBy(() -> Tokenizer.open(dir))
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault()).isEqualTo(Fault.BAD_INPUT))
                .hasMessageContaining(file.equals("added_tokens.json") ? "" : file)
                .hasMessageContaining(message);
    }

    @Test
    void a_text_that_backtracking_would_choke_on_is_encoded_quickly() throws FaultException {
        try (Tokenizer tokenizer = Tokenizer.open(dir)) {
            assertThat(tokenizer.encode(" ".repeat(50_000) + "\n".repeat(50_000)))
                    .isNotEmpty();
        }
    }

    @Test
    void the_library_is_unpacked_once_and_whole() throws IOException {
        Path cache = dir.resolve("cache");
        Path library = TokenizerNatives.prepare(cache);
        long size = Files.size(library);
        var time = Files.getLastModifiedTime(library);
        assertThat(TokenizerNatives.prepare(cache)).isEqualTo(library);
        assertThat(Files.getLastModifiedTime(library)).isEqualTo(time);
        Files.write(library, new byte[10]);
        TokenizerNatives.prepare(cache);
        assertThat(Files.size(library)).isEqualTo(size);
        try (Stream<Path> files = Files.list(cache)) {
            assertThat(files).containsExactly(library);
        }
    }

    @Test
    void a_cache_that_others_can_reach_is_refused() throws IOException {
        Path cache = Files.createDirectory(dir.resolve("cache"));
        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> TokenizerNatives.prepare(cache))
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault()).isEqualTo(Fault.REFUSED))
                .hasMessageContaining("others may reach it");
    }
}
