package jdiff.runtime.model.autoencoder;

import jdiff.runtime.nn.ChannelRmsNorm;
import jdiff.runtime.nn.Clip;
import jdiff.runtime.nn.Conv2d;
import jdiff.runtime.tensor.Functional;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.weights.Weights;

/** x + proj(attention(norm(x))): the pixels of each frame attend to each other, with one head of all channels. */
final class FrameAttention implements CausalBlock {
    private final ChannelRmsNorm norm;
    private final Conv2d toQkv;
    private final Conv2d proj;
    private final int channels;

    FrameAttention(Weights w, int channels) {
        this.norm = new ChannelRmsNorm(w.at("norm"), channels, 2);
        this.toQkv = Conv2d.of(w.at("to_qkv"), channels, 3L * channels, 1, 1, 0);
        this.proj = Conv2d.of(w.at("proj"), channels, channels, 1, 1, 0);
        this.channels = channels;
    }

    @Override
    public Clip forward(Clip in) {
        return in.map(x -> Scope.tidy(() -> {
            Tensor qkv = toQkv.forward(norm.forward(x))
                    .view(x.size(0) * x.size(1), 1, x.size(2) * x.size(3), 3L * channels); // [B·T, 1, H·W, 3C]
            Tensor seen = Functional.scaledDotProductAttention(
                    qkv.narrow(3, 0, channels),
                    qkv.narrow(3, channels, channels),
                    qkv.narrow(3, 2L * channels, channels),
                    null,
                    false,
                    1 / Math.sqrt(channels),
                    false);
            return proj.forward(seen.reshape(x.shape())).add_(x);
        }));
    }
}
