package jdiff.runtime.nn;

import java.util.ArrayList;
import java.util.List;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.weights.Weights;
import org.jspecify.annotations.Nullable;

/**
 * Convolution over time, height and width that sees only this frame and earlier ones; frames before the first are zeros.
 * [B, T, H, W, in] → [B, T, H, W, out].
 *
 * <p>It is computed as one 2-D convolution per time slice of the kernel. That costs what the 3-D kernel costs (and oneDNN is
 * several times faster at it), frames of zeros cost nothing, and a picture touches the last slice only.
 */
public final class CausalConv3d {
    private final List<Tensor> slices;
    private final Tensor bias;
    private final int padding;

    /**
     * A convolution with the parameters {@code weight} and {@code bias}.
     *
     * @param timeKernel length of the kernel in frames
     * @param kernel its side, odd; the padding keeps height and width
     */
    public CausalConv3d(Weights w, long in, long out, int timeKernel, int kernel) {
        // Time first in memory: a slice is contiguous, and only one copy of the kernel exists. Channels last, as in
        // Conv2d.
        this.slices = Scope.tidy(() -> {
            Tensor byTime = w.get("weight", out, in, timeKernel, kernel, kernel)
                    .permute(2, 0, 3, 4, 1)
                    .contiguous();
            List<Tensor> all = new ArrayList<>(timeKernel);
            for (int i = 0; i < timeKernel; i++) {
                all.add(byTime.select(0, i).permute(0, 3, 1, 2)); // [out, in, k, k]
            }
            return all;
        });
        this.bias = w.get("bias", out);
        this.padding = kernel / 2;
    }

    public Clip forward(Clip in) {
        long count = in.frames().size(1);
        int span = slices.size() - 1;
        return Scope.tidy(() ->
                in.mapWindow(span, window -> convolve(window, window.size(1) - count - span, 1, count)));
    }

    /**
     * The same kernel without padding at every second position; [B, n, H, W, in] → [B, (n - k) / 2 + 1, H, W, out], no frames
     * where n &lt; k.
     */
    public Tensor everySecond(Tensor window) {
        long spare = window.size(1) - slices.size();
        return Scope.tidy(() -> convolve(window, 0, 2, spare < 0 ? 0 : spare / 2 + 1));
    }

    /** Frame i of the result sees the frames from {@code start + i * step} on; those below 0 are zeros. */
    private Tensor convolve(Tensor window, long start, int step, long count) {
        if (count == 0) {
            return window.narrow(1, 0, 0);
        }
        int last = slices.size() - 1;
        Tensor out = slice(last, bias, window, start, step, 0, count);
        for (int j = last - 1; j >= 0; j--) {
            int k = j;
            long skipped = Math.max(0, step - 1 - start - j) / step;
            if (skipped < count) {
                Scope.tidy(() -> {
                    Tensor part = slice(k, null, window, start, step, skipped, count - skipped);
                    out.narrow(1, skipped, count - skipped).add_(part);
                });
            }
        }
        return out;
    }

    private Tensor slice(int j, @Nullable Tensor bias, Tensor window, long start, int step, long skipped, long count) {
        return Scope.tidy(() -> {
            long first = start + skipped * step + j;
            Tensor frames =
                    (step == 1 ? window.narrow(1, first, count) : window.slice(1, first, step)).narrow(1, 0, count);
            return Conv2d.convolve(frames, slices.get(j), bias, 1, padding);
        });
    }
}
