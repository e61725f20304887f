package jdiff.runtime.weights;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import jdiff.runtime.golden.Golden;
import jdiff.runtime.safetensors.SafetensorsFuzz;
import org.junit.jupiter.api.Test;

/** The fuzz targets hold what they promise for the files that fuzzing starts from, each file as both formats. */
class FuzzSeedsTest {
    @Test
    void every_seed_passes_both_targets() throws IOException {
        List<Path> seeds;
        try (Stream<Path> files = Files.walk(Golden.path("loading"))) {
            seeds = files.filter(Files::isRegularFile).toList();
        }
        assertThat(seeds).hasSizeGreaterThan(100);
        for (Path seed : seeds) {
            byte[] bytes = Files.readAllBytes(seed);
            SafetensorsFuzz.fuzzerTestOneInput(bytes);
            WeightIndexFuzz.fuzzerTestOneInput(bytes);
        }
    }
}
