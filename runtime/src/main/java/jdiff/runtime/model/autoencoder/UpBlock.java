package jdiff.runtime.model.autoencoder;

import java.util.ArrayList;
import java.util.List;
import jdiff.runtime.nn.Clip;
import jdiff.runtime.weights.Weights;

/** One level of the decoder: residual blocks, then the step to the next finer level unless this is the finest. */
final class UpBlock implements CausalBlock {
    private final List<CausalBlock> blocks = new ArrayList<>();

    /**
     * A level with {@code config.channels(level)} channels inside.
     *
     * @param in channels that come from the level below
     */
    UpBlock(Weights w, CausalAutoencoderConfig config, int level, int in) {
        int channels = config.channels(level);
        for (int i = 0; i <= config.numResBlocks(); i++) {
            blocks.add(new ResidualBlock(w.at("resnets").at(i), i == 0 ? in : channels, channels));
        }
        if (level > 0) {
            boolean time = config.temporalDownsample().get(level - 1);
            blocks.add(new Upsample(w.at("upsamplers").at(0), channels, channels / 2, time));
        }
    }

    @Override
    public Clip forward(Clip in) {
        return CausalBlock.chain(in, blocks);
    }
}
