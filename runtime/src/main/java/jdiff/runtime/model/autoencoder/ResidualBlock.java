package jdiff.runtime.model.autoencoder;

import jdiff.runtime.nn.CausalConv3d;
import jdiff.runtime.nn.ChannelRmsNorm;
import jdiff.runtime.nn.Clip;
import jdiff.runtime.nn.Conv2d;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.weights.Weights;
import org.jspecify.annotations.Nullable;

/** x + conv2(silu(norm2(conv1(silu(norm1(x)))))), with a 1 × 1 × 1 convolution on x where the number of channels changes. */
final class ResidualBlock implements CausalBlock {
    private final ChannelRmsNorm norm1;
    private final CausalConv3d conv1;
    private final ChannelRmsNorm norm2;
    private final CausalConv3d conv2;
    private final @Nullable Conv2d convShortcut;

    ResidualBlock(Weights w, long in, long out) {
        this.norm1 = new ChannelRmsNorm(w.at("norm1"), in, 3);
        this.conv1 = new CausalConv3d(w.at("conv1"), in, out, 3, 3);
        this.norm2 = new ChannelRmsNorm(w.at("norm2"), out, 3);
        this.conv2 = new CausalConv3d(w.at("conv2"), out, out, 3, 3);
        this.convShortcut = in == out ? null : Conv2d.pointwise(w.at("conv_shortcut"), in, out);
    }

    @Override
    public Clip forward(Clip in) {
        return Scope.tidy(() -> {
            Clip hidden = Scope.tidy(() -> conv1.forward(in.map(norm1::forwardSilu)));
            Clip out = Scope.tidy(() -> conv2.forward(hidden.map(norm2::forwardSilu_))); // hidden is ours to overwrite
            Tensor shortcut = convShortcut == null ? in.frames() : convShortcut.forward(in.frames());
            return out.map(y -> y.add_(shortcut));
        });
    }
}
