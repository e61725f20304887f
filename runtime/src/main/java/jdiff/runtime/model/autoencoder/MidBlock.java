package jdiff.runtime.model.autoencoder;

import java.util.List;
import jdiff.runtime.nn.Clip;
import jdiff.runtime.weights.Weights;

/** Residual block, attention, residual block at the coarsest level; encoder and decoder have it alike. */
final class MidBlock implements CausalBlock {
    private final List<CausalBlock> blocks;

    MidBlock(Weights w, int channels) {
        this.blocks = List.of(
                new ResidualBlock(w.at("resnets").at(0), channels, channels),
                new FrameAttention(w.at("attentions").at(0), channels),
                new ResidualBlock(w.at("resnets").at(1), channels, channels));
    }

    @Override
    public Clip forward(Clip in) {
        return CausalBlock.chain(in, blocks);
    }
}
