package jdiff.runtime.safetensors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

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
                "{\"__metadata__\":{\"k\":\"\",\"\\u006b\":\"\"}}              | 0  | __metadata__: the key k occurs twice",
                "{\"__metadata__\":{},\"__metadata__\":{}}                  | 0  | __metadata__ occurs twice",
                "{\"a\":{\"own\":1,\"own\":2}}                              | 0  | tensor a: the key own occurs twice",
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
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[\"1\"],\"data_offsets\":[0,1]}} | 1 | shape holds something that is not a number",
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[-0,1]}} | 1 | data_offsets holds -0",
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1e0]}} | 1 | data_offsets holds 1e0",
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
                "Git LFS pointer, not weights: it stands for a file of 4321 bytes; run `git lfs pull`");
        refused(() -> SafetensorsFile.open(dir), "wanted a regular file, found a folder");
        refused(() -> open("{\"a\0\":1}", 0), "NUL in the header at byte 3");
        byte[] latin = "xxxxxxxx{\"é\":1}".getBytes(StandardCharsets.ISO_8859_1);
        ByteBuffer.wrap(latin).order(ByteOrder.LITTLE_ENDIAN).putLong(0, latin.length - 8);
        refused(() -> raw(latin), "header is not UTF-8 at byte 2");
    }

    @Test
    void limits_are_named() throws IOException {
        refused(() -> open("{\"" + "x".repeat(5000) + "\":{}}", 0), "has 5000 bytes, above the limit of 4096");
        String rank = "1,".repeat(64) + "1";
        refused(
                () -> open("{\"a\":{\"dtype\":\"U8\",\"shape\":[" + rank + "],\"data_offsets\":[0,1]}}", 1),
                "tensor a: shape has 65 numbers, above the limit of 64");
        open("{\"a\":{\"dtype\":\"U8\",\"shape\":[" + rank.substring(2) + "],\"data_offsets\":[0,1]}}", 1);
        open("{\"" + "x".repeat(4096) + "\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1);
        // 4096 bytes when the escape is resolved, then one more.
        String entry = "\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}";
        open("{\"" + "x".repeat(4092) + "\\ud83d\\ude00" + entry, 1);
        refused(() -> open("{\"" + "x".repeat(4093) + "\\ud83d\\ude00" + entry, 1), "has 4097 bytes");
        var many = new StringBuilder("{");
        for (int i = 0; i <= SafetensorsFile.MAX_TENSORS; i++) {
            many.append('"').append(Integer.toString(i, 36)).append("\":0,");
        }
        refused(
                () -> open(many.append("\"__metadata__\":{}}").toString(), 0),
                "1000001 tensors, above the limit of 1000000");
    }

    @ParameterizedTest
    @EnumSource
    void every_dtype_of_the_format_has_its_size(StoredType type) throws IOException {
        // 4 elements are whole bytes of each of them.
        int bytes = type.bits() / 2;
        String json = "{\"a\":{\"dtype\":\"%s\",\"shape\":[2,2],\"data_offsets\":[0,%d]}}".formatted(type, bytes);
        TensorEntry entry = open(json, bytes).entries().get("a");
        assertThat(entry.type()).isEqualTo(type);
        assertThat(entry.numel()).isEqualTo(4);
        refused(() -> open(json, bytes + 1), "1 bytes too many");
    }

    @Test
    void twelve_dtypes_can_be_loaded_and_the_others_only_validated() {
        assertThat(StoredType.values()).hasSize(22);
        assertThat(StoredType.values())
                .filteredOn(type -> type.dtype() != null)
                .extracting(Enum::name)
                .containsExactlyInAnyOrder("BOOL U8 I8 I16 I32 I64 F16 BF16 F32 F64 F8_E4M3 F8_E5M2".split(" "));
    }

    @Test
    void of_several_broken_rules_the_first_is_reported_wherever_it_stands() {
        String metadata = "\"__metadata__\":{\"a\":1}";
        String end = "\"e\":{\"dtype\":\"U8\",\"shape\":[9],\"data_offsets\":[0,9]}";
        String bytes = "\"d\":{\"dtype\":\"U8\",\"shape\":[9],\"data_offsets\":[0,8]}";
        String type = "\"c\":{\"dtype\":\"U9\",\"shape\":[9],\"data_offsets\":[0,9]}";
        String integer = "\"b\":{\"dtype\":\"U8\",\"shape\":[9.5],\"data_offsets\":[0,9]}";
        String entry = "\"a\":{}";
        String[] ranked = {metadata, end, bytes, type, integer, entry, entry};
        String[] expected = {
            "__metadata__: the value of a is not a string",
            "9 bytes missing",
            "tensor d: shape [9] of U8 needs 9 bytes",
            "tensor c: unknown dtype",
            "tensor b: shape holds 9.5",
            "tensor a: dtype is missing",
            "tensor a occurs twice"
        };
        for (int i = 0; i < ranked.length; i++) {
            String inOrder = String.join(",", Arrays.copyOf(ranked, i + 1));
            String reversed =
                    IntStream.rangeClosed(-i, 0).mapToObj(k -> ranked[-k]).collect(Collectors.joining(","));
            String message = expected[i];
            refused(() -> open("{" + inOrder + "}", 0), message);
            refused(() -> open("{" + reversed + "}", 0), message);
            refused(() -> open("{" + inOrder, 0), "not valid JSON");
        }
    }

    @Test
    void data_offsets_at_random_are_always_refused_by_a_rule() {
        var random = new Random(11);
        String format = "{\"a\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[%d,%d]},"
                + "\"b\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[%d,%d]}}";
        for (int round = 0; round < 200; round++) {
            long[] offsets = {0, 24, 24, 25};
            int changed = random.nextInt(4);
            int bits = 1 + random.nextInt(63);
            offsets[changed] ^= 1 + (random.nextLong() >>> (64 - bits)) % Long.MAX_VALUE;
            String json = format.formatted(offsets[0], offsets[1], offsets[2], offsets[3]);
            assertThatThrownBy(() -> open(json, 25))
                    .as(json)
                    .isInstanceOfSatisfying(
                            FaultException.class, e -> assertThat(e.fault()).isEqualTo(Fault.BAD_INPUT))
                    .hasMessageMatching(".*(data_offsets .* give|belong to no tensor|overlap|missing|too many).*");
        }
    }

    @Test
    void a_header_that_ends_at_any_byte_of_itself_is_refused() throws IOException {
        byte[] whole =
                ("{" + A + "," + B + ",\"__metadata__\":{\"\\u00e9\":\"\\n\"}}").getBytes(StandardCharsets.UTF_8);
        for (int length = 0; length < whole.length; length++) {
            String cut = new String(whole, 0, length, StandardCharsets.UTF_8);
            refused(() -> open(cut, 25), length < 2 ? "header length" : "not valid JSON at byte");
        }
        open(new String(whole, StandardCharsets.UTF_8), 25);
    }

    @Test
    void a_file_that_shrinks_or_vanishes_while_it_is_opened_is_a_fault() throws Exception {
        Path file = dir.resolve("model.safetensors");
        byte[] whole = bytes("{" + A + "," + B + "}", 25);
        Files.write(file, whole);
        for (int length : new int[] {0, 7, 8, 30, whole.length - 26}) {
            SafetensorsFile.Source shrinking = (from, wanted) -> {
                if (from + wanted > length) {
                    throw new EOFException("ends at " + length);
                }
                return Arrays.copyOfRange(whole, (int) from, (int) from + wanted);
            };
            assertThatThrownBy(() -> SafetensorsFile.parse(file, whole.length, shrinking))
                    .isInstanceOf(IOException.class);
        }
        var stop = new AtomicBoolean();
        var disturber = new Thread(() -> {
            var random = new Random(3);
            while (!stop.get()) {
                try {
                    Files.write(file, Arrays.copyOf(whole, random.nextInt(whole.length + 1)));
                    Files.deleteIfExists(file);
                    Files.write(file, whole);
                } catch (IOException e) {
                    stop.set(true);
                }
            }
        });
        disturber.start();
        try {
            for (int round = 0; round < 500; round++) {
                try {
                    assertThat(SafetensorsFile.open(file).entries()).hasSize(2);
                } catch (FaultException e) {
                    assertThat(e).hasMessageStartingWith(file + ": ");
                }
            }
            assertThat(stop).isFalse();
        } finally {
            stop.set(true);
            disturber.join();
        }
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
