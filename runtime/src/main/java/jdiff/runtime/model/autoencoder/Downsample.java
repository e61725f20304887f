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
 * Halves height and width, and with {@code time} the number of frames after the first: frame 0 stays as it is, frame j comes
 * from the three frames 2j-2, 2j-1 and 2j.
 */
final class Downsample implements CausalBlock {
    private final Conv2d resample;
    private final @Nullable CausalConv3d timeConv;

    Downsample(Weights w, int channels, boolean time) {
        this.resample = Conv2d.of(w.at("resample").at(1), channels, channels, 3, 2, 0);
        this.timeConv = time ? new CausalConv3d(w.at("time_conv"), channels, channels, 3, 1) : null;
    }

    @Override
    public Clip forward(Clip in) {
        return Scope.tidy(() -> {
            Clip small = in.map(x -> resample.forward(Functional.zeroPad(x, 0, 0, 0, 1, 0, 1))); // right and bottom
            return timeConv == null ? small : halved(small, timeConv);
        });
    }

    private static Clip halved(Clip in, CausalConv3d conv) {
        return in.mapWindow(1, window -> {
            Tensor rest = conv.everySecond(window);
            if (!in.isStart()) {
                return rest;
            }
            Tensor first = window.narrow(1, 0, 1);
            return rest.size(1) == 0 ? first : Tensor.cat(List.of(first, rest), 1);
        });
    }
}
