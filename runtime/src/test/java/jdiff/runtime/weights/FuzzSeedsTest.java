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

/** The fuzz targets hold what they promise for the files that fuzzing starts from and has found, each as both formats. */
class FuzzSeedsTest {
    @Test
    void every_file_passes_both_targets() throws IOException {
        List<Path> seeds;
        try (Stream<Path> first = Files.walk(Golden.path("loading"));
                Stream<Path> found = Files.walk(Path.of("src/test/resources/fuzz"))) {
            seeds = Stream.concat(first, found).filter(Files::isRegularFile).toList();
        }
        assertThat(seeds).hasSizeGreaterThan(100);
        for (Path seed : seeds) {
            byte[] bytes = Files.readAllBytes(seed);
            SafetensorsFuzz.fuzzerTestOneInput(bytes);
            WeightIndexFuzz.fuzzerTestOneInput(bytes);
        }
    }
}
