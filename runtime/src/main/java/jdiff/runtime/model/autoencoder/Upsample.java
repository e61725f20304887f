package jdiff.runtime.model.autoencoder;

import java.util.List;
import jdiff.runtime.nn.CausalConv3d;
import jdiff.runtime.nn.Clip;
import jdiff.runtime.nn.Conv2d;
import jdiff.runtime.tensor.Functional;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.weights.Weights;
import org.jspecify.annotations.Nullable;

/**
 * Doubles height and width, and with {@code time} the number of frames after the first, which stays one frame and is not even
 * seen by the convolution over time.
 */
final class Upsample implements CausalBlock {
    private final Conv2d resample;
    private final @Nullable CausalConv3d timeConv;

    Upsample(Weights w, int in, int out, boolean time) {
        this.resample = Conv2d.of(w.at("resample").at(1), in, out, 3, 1, 1);
        this.timeConv = time ? new CausalConv3d(w.at("time_conv"), in, 2L * in, 3, 1) : null;
    }

    @Override
    public Clip forward(Clip in) {
        return Scope.tidy(() -> {
            Clip frames = timeConv == null ? in : doubled(in, timeConv);
            return frames.map(x -> Scope.tidy(() -> resample.forward(enlarged(x))));
        });
    }

    private static Clip doubled(Clip in, CausalConv3d conv) {
        if (!in.isStart()) {
            return conv.forward(in).map(Upsample::interleaved);
        }
        Tensor all = in.frames();
        Tensor first = all.narrow(1, 0, 1);
        Clip rest = conv.forward(in.map(x -> x.narrow(1, 1, x.size(1) - 1)));
        return rest.map(x -> x.size(1) == 0 ? first : Tensor.cat(List.of(first, interleaved(x)), 1));
    }

    /** [B, T, H, W, 2C] → [B, 2T, H, W, C]: the first half of the channels is the earlier frame. */
    private static Tensor interleaved(Tensor x) {
        long half = x.size(4) / 2;
        return x.view(x.size(0), x.size(1), x.size(2), x.size(3), 2, half)
                .permute(0, 1, 4, 2, 3, 5)
                .reshape(x.size(0), x.size(1) * 2, x.size(2), x.size(3), half);
    }

    private static Tensor enlarged(Tensor x) {
        return Conv2d.perFrame(x, frames -> Functional.upsampleNearest2d(frames, 2));
    }
}
