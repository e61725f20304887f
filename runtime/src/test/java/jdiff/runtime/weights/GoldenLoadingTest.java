package jdiff.runtime.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import jdiff.runtime.config.JsonReader;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.golden.Golden;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Folders with whole, unusual and damaged weights, and what must come of each: places and bytes, or an error. */
class GoldenLoadingTest {
    private static final String DIFFUSERS_STEM = "diffusion_pytorch_model";

    @TempDir
    Path temp;

    /** One folder; {@code link} and {@code target} are a link that git would not carry. */
    record Case(
            String name,
            String stem,
            String folder,
            String variant,
            String link,
            String target,
            Map<String, Stored> tensors,
            List<String> errorContains) {
        @Override
        public String toString() {
            return name;
        }
    }

    record Stored(String dtype, long[] shape, String sha256) {}

    static List<Case> whole() throws IOException {
        return cases().stream().filter(c -> c.errorContains().isEmpty()).toList();
    }

    static List<Case> damaged() throws IOException {
        return cases().stream().filter(c -> !c.errorContains().isEmpty()).toList();
    }

    @Test
    void all_cases_are_there() throws IOException {
        assertThat(whole()).hasSize(20);
        assertThat(damaged()).hasSize(40);
        assertThat(whole()).allSatisfy(c -> assertThat(c.tensors()).isNotEmpty());
    }

    @ParameterizedTest
    @MethodSource
    void whole(Case c) throws Exception {
        Checkpoint checkpoint = open(c);
        assertThat(checkpoint.tensors()).containsOnlyKeys(c.tensors().keySet());
        for (Map.Entry<String, Stored> expected : c.tensors().entrySet()) {
            Checkpoint.Location found = checkpoint.tensors().get(expected.getKey());
            assertThat(found.entry().type()).hasToString(expected.getValue().dtype());
            assertThat(found.entry().shape()).isEqualTo(expected.getValue().shape());
            assertThat(sha256(found))
                    .as(expected.getKey())
                    .isEqualTo(expected.getValue().sha256());
        }
    }

    @ParameterizedTest
    @MethodSource
    void damaged(Case c) {
        FaultException e = catchThrowableOfType(FaultException.class, () -> open(c));
        assertThat(e).isNotNull();
        assertThat(e.fault()).isIn(Fault.BAD_INPUT, Fault.NO_INPUT);
        assertThat(e.getMessage().toLowerCase(Locale.ROOT))
                .contains(c.errorContains().stream()
                        .map(word -> word.toLowerCase(Locale.ROOT))
                        .toList());
    }

    private Checkpoint open(Case c) throws IOException {
        Path folder = Golden.path("loading/" + c.name());
        if (!c.link().isEmpty()) {
            copy(folder, temp);
            Files.createSymbolicLink(temp.resolve(c.link()), Path.of(c.target()));
            folder = temp;
        }
        return new WeightFolder(folder.resolve(c.folder()), c.stem())
                .open(c.variant().isEmpty() ? null : c.variant());
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }

    /** Reads without the loader: one plain read at the place that the header gives. */
    private static String sha256(Checkpoint.Location location) throws Exception {
        var bytes = ByteBuffer.allocate((int) location.entry().bytes());
        try (FileChannel channel = FileChannel.open(location.file().path())) {
            assertThat(channel.read(bytes, location.entry().begin())).isEqualTo(bytes.capacity());
        }
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes.array()));
    }

    private static List<Case> cases() throws IOException {
        JsonReader in = JsonReader.open(Golden.path("loading/cases.json"), JsonReader.SMALL);
        var cases = new ArrayList<Case>();
        in.expect(JsonToken.START_ARRAY, "cases");
        while (in.more()) {
            cases.add(oneCase(in));
        }
        return cases;
    }

    private static Case oneCase(JsonReader in) throws FaultException {
        var texts = new LinkedHashMap<String, String>();
        var tensors = new LinkedHashMap<String, Stored>();
        var errorContains = new ArrayList<String>();
        while (in.more()) {
            String key = in.text();
            switch (key) {
                case "tensors" -> {
                    in.expect(JsonToken.START_OBJECT, key);
                    while (in.more()) {
                        tensors.put(in.text(), stored(in));
                    }
                }
                case "error_contains" -> {
                    in.expect(JsonToken.START_ARRAY, key);
                    while (in.more()) {
                        errorContains.add(in.text());
                    }
                }
                case "setup" -> {
                    in.expect(JsonToken.START_OBJECT, key);
                    while (in.more()) {
                        texts.put(in.text(), in.string("setup"));
                    }
                }
                default -> {
                    if (in.next() == JsonToken.VALUE_STRING) {
                        texts.put(key, in.text());
                    }
                }
            }
        }
        assertThat(texts.get("outcome")).isEqualTo(errorContains.isEmpty() ? "ok" : "error");
        return new Case(
                texts.get("name"),
                texts.getOrDefault("prefix", DIFFUSERS_STEM),
                texts.getOrDefault("folder", ""),
                texts.getOrDefault("variant", ""),
                texts.getOrDefault("symlink", ""),
                texts.getOrDefault("target", ""),
                tensors,
                errorContains);
    }

    private static Stored stored(JsonReader in) throws FaultException {
        String dtype = "";
        String sha256 = "";
        var shape = new long[8];
        int rank = 0;
        in.expect(JsonToken.START_OBJECT, "a tensor");
        while (in.more()) {
            switch (in.text()) {
                case "dtype" -> dtype = in.string("dtype");
                case "sha256" -> sha256 = in.string("sha256");
                default -> {
                    in.expect(JsonToken.START_ARRAY, "shape");
                    while (in.more()) {
                        shape[rank++] = Long.parseLong(in.text());
                    }
                }
            }
        }
        return new Stored(dtype, Arrays.copyOf(shape, rank), sha256);
    }
}
