package jdiff.runtime.safetensors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SafetensorsFileTest {
    private static final String A = "\"a\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]}";
    private static final String B = "\"b\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[24,25]}";

    @TempDir
    Path dir;

    @Test
    void a_plain_file_is_described_as_its_header_says() throws IOException {
        SafetensorsFile file = open("{" + A + "," + B + ",\"__metadata__\":{\"format\":\"pt\"}}", 25);
        int start = 8 + ("{" + A + "," + B + ",\"__metadata__\":{\"format\":\"pt\"}}").length();
        assertThat(file.entries().keySet()).containsExactly("a", "b");
        assertThat(file.entries().get("a")).hasToString("a F32[2, 3]");
        assertThat(file.entries().get("a").begin()).isEqualTo(start);
        assertThat(file.entries().get("a").bytes()).isEqualTo(24);
        assertThat(file.entries().get("b")).hasToString("b U8[]");
        assertThat(file.entries().get("b").begin()).isEqualTo(start + 24);
        assertThat(file.metadata()).containsEntry("format", "pt");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}                                                                                          | 0",
                "  {}                                                                                        | 0",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[0,9],\"data_offsets\":[0,0]}}                          | 0",
                "{\"a\":{\"data_offsets\":[0,8],\"shape\":[],\"dtype\":\"F64\",\"own\":{\"x\":[1,null]}}}    | 8",
                "{\"b\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[4,5]},"
                        + "\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}                   | 5",
                "{\"a\\u0301 \\\"/\":{\"dtype\":\"F4\",\"shape\":[2],\"data_offsets\":[0,1]}}                | 1",
            })
    void unusual_but_legal_headers_load(String json, int bytes) throws IOException {
        open(json, bytes);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // syntax
                "[1]                                                        | 0  | not valid JSON at byte 0: wanted '{'",
                "{} x                                                       | 0  | at byte 3: wanted nothing after",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[1,                    | 0  | at byte 31",
                "{\"a\":{\"x\":[[[1]]]}}                                    | 0  | at most 4 levels",
                "{\"a\":01}                                                 | 0  | wanted ',' or '}'",
                "{\"a\":1,}                                                 | 0  | another member",
                "{\"\\ud800\":1}                                            | 0  | surrogates only in pairs",
                // duplicates, found before later rules
                "{\"a\":{\"dtype\":\"F33\",\"shape\":[]},\"a\":{}}          | 0  | tensor a occurs twice",
                "{\"a\":{\"dtype\":\"U8\",\"dtype\":\"U8\"}}                | 0  | the key dtype occurs twice",
                // entry
                "{\"a\":3}                                                  | 0  | tensor a: wanted an object",
                "{\"a\":{\"shape\":[],\"data_offsets\":[0,1]}}              | 1  | a: dtype is missing",
                "{\"a\":{\"dtype\":\"U8\",\"data_offsets\":[0,1]}}          | 1  | a: shape is missing",
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[]}}                    | 1  | a: data_offsets is missing",
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[1]}} | 1 | data_offsets has 1 numbers",
                // integers
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[1.0],\"data_offsets\":[0,1]}} | 1 | shape holds 1.0",
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[1e0],\"data_offsets\":[0,1]}} | 1 | shape holds 1e0",
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[-1],\"data_offsets\":[0,1]}}  | 1 | shape holds -1",
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[9223372036854775808],\"data_offsets\":[0,1]}} | 1 | 9223372036854775808",
                // type, arithmetic, number of bytes
                "{\"a\":{\"dtype\":\"F33\",\"shape\":[1],\"data_offsets\":[0,1]}} | 1 | unknown dtype \"F33\"; known are [BOOL",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[9223372036854775807,4],\"data_offsets\":[0,1]}} | 1 | overflows",
                "{\"a\":{\"dtype\":\"F4\",\"shape\":[3],\"data_offsets\":[0,1]}}  | 1 | 12 bits, not whole bytes",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,4]}} | 4 | needs 8 bytes",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,0]}} | 4 | needs 4 bytes",
                // coverage and end of the file
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[1,2]}}  | 2 | bytes 0..1 of the data, between the start",
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]},\"b\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[1,3]}} | 3 | tensor b begins at byte 1 of the data, inside tensor a which ends at 2",
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]}}  | 1 | 1 bytes missing",
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]}}  | 5 | 3 bytes too many",
                // metadata
                "{\"__metadata__\":{\"step\":1}}                            | 0 | the value of step is not a string",
                "{\"__metadata__\":[]}                                      | 0 | __metadata__ is not an object",
            })
    void each_broken_rule_is_named(String json, int bytes, String message) {
        refused(() -> open(json, bytes), message);
    }

    @Test
    void what_is_no_safetensors_file_is_named_by_what_it_is() throws IOException {
        refused(() -> raw(new byte[0]), "0 bytes, wanted at least 8");
        refused(() -> raw(new byte[7]), "7 bytes, wanted at least 8");
        refused(() -> raw(new byte[9]), "header length 0");
        refused(() -> raw(longs(-1)), "header length 18446744073709551615, wanted 2 to 100000000");
        refused(() -> raw(longs(100_000_001)), "header length 100000001");
        refused(() -> raw(longs(50)), "the header ends at byte 58, the file has 8 bytes: 50 missing (truncated");
        refused(() -> raw("<!DOCTYPE html><html>".getBytes(StandardCharsets.US_ASCII)), "looks like HTML/JSON text");
        refused(
                () -> raw("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 4321\n"
                        .getBytes(StandardCharsets.US_ASCII)),
                "Git LFS pointer, not the file itself: it stands for a file of 4321 bytes; run `git lfs pull`");
        refused(() -> SafetensorsFile.open(dir), "wanted a regular file, found a folder");
        refused(() -> open("{\"a\0\":1}", 0), "NUL in the header at byte 3");
        byte[] latin = "xxxxxxxx{\"é\":1}".getBytes(StandardCharsets.ISO_8859_1);
        ByteBuffer.wrap(latin).order(ByteOrder.LITTLE_ENDIAN).putLong(0, latin.length - 8);
        refused(() -> raw(latin), "header is not UTF-8 at byte 2");
    }

    @Test
    void limits_are_named() {
        refused(() -> open("{\"" + "x".repeat(5000) + "\":{}}", 0), "has 5000 bytes, above the limit of 4096");
        String rank = "1,".repeat(64) + "1";
        refused(
                () -> open("{\"a\":{\"dtype\":\"U8\",\"shape\":[" + rank + "],\"data_offsets\":[0,1]}}", 1),
                "shape has more than 64 numbers");
    }

    @Test
    void a_file_cut_anywhere_in_its_header_is_refused() throws IOException {
        byte[] whole = bytes("{" + A + "," + B + "}", 25);
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            refused(() -> raw(cut), "model.safetensors: ");
        }
    }

    @Test
    void random_changes_are_accepted_or_refused_but_never_crash() throws IOException {
        byte[] whole = bytes("{" + A + "," + B + ",\"__metadata__\":{\"format\":\"p\\u0074\"}}", 25);
        var random = new Random(7);
        int refused = 0;
        for (int round = 0; round < 2000; round++) {
            byte[] changed = whole.clone();
            for (int i = 0; i <= random.nextInt(3); i++) {
                changed[random.nextInt(changed.length - 25)] = (byte) random.nextInt(256);
            }
            try {
                for (TensorEntry e : raw(changed).entries().values()) {
                    assertThat(e.begin() + e.bytes()).isLessThanOrEqualTo(changed.length);
                }
            } catch (FaultException e) {
                refused++;
                assertThat(e.fault()).isEqualTo(Fault.BAD_INPUT);
            }
        }
        assertThat(refused).isGreaterThan(1000);
    }

    private static void refused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String message) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        FaultException.class, e -> assertThat(e.fault()).isEqualTo(Fault.BAD_INPUT))
                .hasMessageContaining(message);
    }

    private SafetensorsFile open(String json, int dataBytes) throws IOException {
        return raw(bytes(json, dataBytes));
    }

    private SafetensorsFile raw(byte[] bytes) throws IOException {
        Path file = dir.resolve("model.safetensors");
        Files.write(file, bytes);
        return SafetensorsFile.open(file);
    }

    private static byte[] bytes(String json, int dataBytes) {
        byte[] header = json.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(8 + header.length + dataBytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(header.length)
                .put(header)
                .array();
    }

    private static byte[] longs(long value) {
        return ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(value)
                .array();
    }
}
