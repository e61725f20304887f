package jdiff.runtime.weights;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.loading.LoadMeter;
import jdiff.runtime.weights.FileDigests.Result;
import jdiff.runtime.weights.FileDigests.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileDigestsTest {
    /** Of the three bytes "abc", from FIPS 180-2. */
    private static final String ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    @TempDir
    Path dir;

    @Test
    void a_blob_is_compared_with_its_name_and_other_files_are_not_read() throws IOException {
        Path good = link("good", ABC, "abc");
        Path bad = link("bad", "0".repeat(64), "abc");
        Path small = link("small", "f".repeat(40), "abc");
        Path plain = Files.writeString(dir.resolve(ABC), "abc");
        LoadMeter meter = new LoadMeter();
        List<Result> results = FileDigests.verify(List.of(good, bad, small, plain), 2, meter);
        assertThat(results)
                .extracting(Result::state)
                .containsExactly(State.MATCHES, State.DIFFERS, State.NOT_VERIFIABLE, State.NOT_VERIFIABLE);
        assertThat(results.get(0).found()).isEqualTo(ABC);
        assertThat(results.get(1).fault()).isNotNull();
        assertThat(results.get(1).fault().fault()).isEqualTo(Fault.BAD_INPUT);
        assertThat(results.get(1).fault()).hasMessageStartingWith(bad + ": its SHA-256 is " + ABC);
        assertThat(meter.totalBytes()).isEqualTo(6);
        assertThat(meter.doneBytes()).isEqualTo(6);
    }

    private Path link(String name, String blob, String content) throws IOException {
        Path blobs = Files.createDirectories(dir.resolve("blobs"));
        Files.writeString(blobs.resolve(blob), content);
        return Files.createSymbolicLink(dir.resolve(name), blobs.resolve(blob));
    }
}
