package jdiff.runtime.model.autoencoder;

import java.util.ArrayList;
import java.util.List;
import jdiff.runtime.nn.CausalConv3d;
import jdiff.runtime.nn.Clip;
import jdiff.runtime.weights.Weights;

/** Frames [B, F, H, W, 3] → moments [B, T, h, w, 2z]. */
final class CausalEncoder implements CausalBlock {
    private final List<CausalBlock> blocks = new ArrayList<>();

    CausalEncoder(Weights w, CausalAutoencoderConfig config) {
        CausalConv3d convIn = new CausalConv3d(w.at("conv_in"), config.pixelChannels(), config.baseDim(), 3, 3);
        blocks.add(convIn::forward);
        int channels = config.baseDim();
        Weights down = w.at("down_blocks");
        int index = 0; // residual blocks and downsamplers of all levels are numbered together
        for (int level = 0; level < config.levels(); level++) {
            for (int i = 0; i < config.numResBlocks(); i++) {
                blocks.add(new ResidualBlock(down.at(index++), channels, config.channels(level)));
                channels = config.channels(level);
            }
            if (level < config.levels() - 1) {
                blocks.add(new Downsample(
                        down.at(index++), channels, config.temporalDownsample().get(level)));
            }
        }
        blocks.add(new MidBlock(w.at("mid_block"), channels));
        blocks.add(new OutputBlock(w, channels, 2L * config.zDim()));
    }

    @Override
    public Clip forward(Clip in) {
        return CausalBlock.chain(in, blocks);
    }
}
