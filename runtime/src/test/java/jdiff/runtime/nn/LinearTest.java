package jdiff.runtime.nn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import jdiff.runtime.distributed.ParallelDims;
import jdiff.runtime.distributed.ThreadRanks;
import jdiff.runtime.distributed.World;
import jdiff.runtime.nn.Linear.Bias;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Rng;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.weights.DTypeRule;
import jdiff.runtime.weights.LoadRules;
import jdiff.runtime.weights.Weights;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sharded layers as threads; sums over ranks are in another order than in one product, hence 1e-5. */
class LinearTest {
    private static final long IN = 24;
    private static final long OUT = 12;
    private static final Tensor X = random(1, 2, 5, IN);
    private static final Map<String, Tensor> PARAMETERS = Map.of("weight", random(2, OUT, IN), "bias", random(3, OUT));

    private static Tensor random(long seed, long... shape) {
        try (Rng rng = new Rng(seed)) {
            return rng.randn(DType.F32, shape);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void column_parallel_parts_side_by_side_equal_replicated(int ranks) {
        List<Tensor> parts = ThreadRanks.run(
                ranks,
                world -> Linear.column(weights(world, false), Bias.YES, IN, OUT).forward(X));
        assertClose(Tensor.cat(parts, -1), replicated());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void row_parallel_equals_replicated(int ranks) {
        long width = IN / ranks;
        List<Tensor> results = ThreadRanks.run(
                ranks,
                world -> Linear.row(weights(world, false), Bias.YES, OUT, IN)
                        .forward(X.narrow(-1, world.rank() * width, width).contiguous()));
        assertThat(results).hasSize(ranks).allSatisfy(result -> assertClose(result, replicated()));
    }

    @ParameterizedTest
    @CsvSource({"1, true", "2, true", "3, true", "5, true", "2, false"})
    void modulation_is_whole_on_every_rank_shared_or_not(int ranks, boolean shared) {
        List<Tensor> results = ThreadRanks.run(
                ranks,
                world -> Linear.modulation(weights(world, shared), IN, OUT).forward(X));
        assertThat(results).hasSize(ranks).allSatisfy(result -> assertClose(result, replicated()));
    }

    private static Weights weights(World world, boolean shardModulation) {
        return Weights.of(
                PARAMETERS,
                LoadRules.of("transformer", DTypeRule.AUTO)
                        .on(world.mesh(new ParallelDims(1, 1, 1, 1, world.size())))
                        .shardingModulation(shardModulation));
    }

    private static Tensor replicated() {
        return Linear.of(Weights.of(PARAMETERS), IN, OUT).forward(X);
    }

    private static void assertClose(Tensor actual, Tensor expected) {
        assertThat(actual.shape()).isEqualTo(expected.shape());
        assertThat(actual.sub(expected).abs().max().item()).isLessThan(1e-5);
    }
}
