package jdiff.runtime.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import jdiff.runtime.golden.Golden;
import org.junit.jupiter.api.Test;

/** Draws equal PyTorch's bit for bit (golden values were drawn on x86-64 with AVX2). */
class RngTest {
    @Test
    void single_draws_equal_pytorch() throws IOException {
        Golden golden = Golden.open("components/rng.safetensors");
        int compared = 0;
        for (String name : golden.names()) {
            if (!name.contains(".seed_")) {
                continue;
            }
            String[] parts = name.split("[._]", -1); // dtype . seed _ n . shape _ axb
            Tensor expected = golden.tensor(name);
            try (Rng rng = new Rng(Long.parseLong(parts[2]))) {
                assertThat(rng.randn(expected.dtype(), expected.shape()).equal(expected))
                        .as(name)
                        .isTrue();
            }
            compared++;
        }
        assertThat(compared).isGreaterThan(10);
    }

    @Test
    void draws_in_a_row_from_one_generator_equal_pytorch() throws IOException {
        Golden golden = Golden.open("components/rng.safetensors");
        for (String first : golden.names().stream()
                .filter(n -> n.contains(".sequence_") && n.endsWith(".0"))
                .toList()) {
            String stem = first.substring(0, first.length() - 1);
            try (Rng rng = new Rng(Long.parseLong(stem.split("[._]", -1)[2]))) {
                for (int i = 0; golden.has(stem + i); i++) {
                    Tensor expected = golden.tensor(stem + i);
                    assertThat(rng.randn(expected.dtype(), expected.shape()).equal(expected))
                            .as(stem + i)
                            .isTrue();
                }
            }
        }
    }

    @Test
    void a_batch_is_one_generator_per_sample() throws IOException {
        Golden golden = Golden.open("components/rng.safetensors");
        for (String name :
                golden.names().stream().filter(n -> n.contains(".batch_")).toList()) {
            Tensor expected = golden.tensor(name);
            String[] seeds = name.substring(name.indexOf(".batch_") + 7).split("_", -1);
            long[] shape = expected.shape();
            shape[0] = 1;
            for (int i = 0; i < seeds.length; i++) {
                try (Rng rng = new Rng(Long.parseLong(seeds[i]))) {
                    assertThat(rng.randn(expected.dtype(), shape).equal(expected.narrow(0, i, 1)))
                            .as(name + " " + Arrays.toString(seeds))
                            .isTrue();
                }
            }
        }
    }
}
