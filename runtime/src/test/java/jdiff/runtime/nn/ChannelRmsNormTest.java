package jdiff.runtime.nn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import jdiff.runtime.golden.Golden;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.weights.Weights;
import org.junit.jupiter.api.Test;

class ChannelRmsNormTest {
    private static Tensor gamma(float... values) {
        return Tensor.of(values, values.length, 1, 1, 1);
    }

    private static ChannelRmsNorm norm(Tensor gamma) {
        return new ChannelRmsNorm(Weights.of(Map.of("gamma", gamma)), gamma.size(0), 3);
    }

    @Test
    void has_root_mean_square_gamma_and_leaves_zeros_alone() {
        Scope.tidy(() -> {
            Tensor x = Tensor.of(new float[] {3, 4, 0, 0, 0, -5}, 1, 1, 1, 3, 2);
            float root = (float) Math.sqrt(2);
            Tensor expected = Tensor.of(new float[] {0.6f * root, 0.8f * 2 * root, 0, 0, 0, -2 * root}, 1, 1, 1, 3, 2);
            // One rounding more or less per value.
            Golden.assertWithin(3e-7, 3e-7, norm(gamma(1, 2)).forward(x), expected, "norm");
        });
    }

    @Test
    void bfloat16_is_normalised_in_float32_and_rounded_before_each_product() {
        Scope.tidy(() -> {
            float[] values = {1.0234375f, -2.015625f, 0.3359375f}; // exact in bfloat16
            Tensor x = Tensor.of(values, 1, 1, 1, 1, 3).to(DType.BF16);
            Tensor gamma = gamma(1.109375f, 0.80078125f, 1.5f).to(DType.BF16);
            double length = 0;
            for (float v : values) {
                length += (double) v * v;
            }
            Tensor unit =
                    Tensor.of(values, 1, 1, 1, 1, 3).div(Math.sqrt(length)).to(DType.BF16);
            Tensor expected = unit.mul(Math.sqrt(3)).mul(gamma.view(3));
            assertThat(norm(gamma).forward(x).equal(expected)).isTrue();
        });
    }
}
