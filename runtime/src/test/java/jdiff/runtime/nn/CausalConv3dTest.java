package jdiff.runtime.nn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import jdiff.runtime.golden.Golden;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Functional;
import jdiff.runtime.tensor.Rng;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.weights.Weights;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CausalConv3dTest {
    // Sums of at most 27 * 5 products in another order.
    private static final double TOLERANCE = 1e-5;

    private static Tensor random(long seed, long... shape) {
        try (Rng rng = new Rng(seed)) {
            return rng.randn(DType.F32, shape);
        }
    }

    private static CausalConv3d conv(Tensor weight, Tensor bias) {
        Weights w = Weights.of(Map.of("weight", weight, "bias", bias));
        return new CausalConv3d(w, weight.size(1), weight.size(0), (int) weight.size(2), (int) weight.size(3));
    }

    /** The definition: zeros in front, then a plain 3-D convolution; x and result channels last. */
    private static Tensor definition(Tensor x, Tensor weight, Tensor bias) {
        long before = weight.size(2) - 1;
        long side = weight.size(3) / 2;
        Tensor padded = Functional.zeroPad(x.permute(0, 4, 1, 2, 3).contiguous(), 0, 0, 0, 0, before, 0);
        return Functional.conv3d(padded, weight, bias, new long[] {1, 1, 1}, new long[] {0, side, side})
                .permute(0, 2, 3, 4, 1);
    }

    @ParameterizedTest
    @CsvSource({"1, 3, 3, 1", "1, 3, 3, 2", "2, 3, 3, 5", "2, 3, 1, 4", "2, 1, 1, 3"})
    void equals_a_3d_convolution_with_zeros_in_front(int batch, int timeKernel, int kernel, int frames) {
        Scope.tidy(() -> {
            Tensor weight = random(1, 4, 5, timeKernel, kernel, kernel);
            Tensor bias = random(2, 4);
            Tensor x = random(3, batch, frames, 6, 7, 5);
            Tensor y = conv(weight, bias).forward(Clip.whole(x)).frames();
            Golden.assertWithin(TOLERANCE, TOLERANCE, y, definition(x, weight, bias), "conv");
            assertThat(y.isContiguous()).isTrue();
        });
    }

    @Test
    void chunks_of_any_length_equal_the_whole() {
        Scope.tidy(() -> {
            CausalConv3d conv = conv(random(1, 4, 5, 3, 3, 3), random(2, 4));
            Tensor x = random(3, 2, 7, 6, 7, 5);
            Clip first = conv.forward(Clip.first(x.narrow(1, 0, 1)));
            Clip second = conv.forward(first.next(x.narrow(1, 1, 4), false));
            Clip third = conv.forward(second.next(x.narrow(1, 5, 2), true));
            Tensor joined = Tensor.cat(List.of(first.frames(), second.frames(), third.frames()), 1);
            Tensor whole = conv.forward(Clip.whole(x)).frames();
            Golden.assertWithin(TOLERANCE, TOLERANCE, joined, whole, "chunks");
        });
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "2, 0", "3, 1", "4, 1", "5, 2", "9, 4"})
    void every_second_position_without_padding(int frames, int results) {
        Scope.tidy(() -> {
            Tensor weight = random(1, 5, 5, 3, 1, 1);
            Tensor bias = random(2, 5);
            Tensor x = random(3, 1, frames, 2, 3, 5);
            Tensor y = conv(weight, bias).everySecond(x);
            assertThat(y.size(1)).isEqualTo(results);
            if (results > 0) {
                Tensor expected = Functional.conv3d(
                                x.permute(0, 4, 1, 2, 3).contiguous(), weight, bias, new long[] {2, 1, 1}, new long[] {
                                    0, 0, 0
                                })
                        .permute(0, 2, 3, 4, 1);
                Golden.assertWithin(TOLERANCE, TOLERANCE, y, expected, "strided");
            }
        });
    }

    @Test
    void a_single_pixel_or_channel_keeps_the_layout() {
        Scope.tidy(() -> {
            Tensor weight = random(1, 1, 1, 3, 3, 3);
            Tensor bias = random(2, 1);
            Tensor x = random(3, 1, 3, 1, 1, 1);
            Tensor y = conv(weight, bias).forward(Clip.whole(x)).frames();
            Golden.assertWithin(TOLERANCE, TOLERANCE, y, definition(x, weight, bias), "conv");
        });
    }
}
