package jdiff.runtime.model.autoencoder;

import java.util.ArrayList;
import java.util.List;
import jdiff.runtime.nn.CausalConv3d;
import jdiff.runtime.nn.Clip;
import jdiff.runtime.weights.Weights;

/** Latents [B, T, h, w, z] → frames [B, F, H, W, 3], not clamped. */
final class CausalDecoder implements CausalBlock {
    private final List<CausalBlock> blocks = new ArrayList<>();

    CausalDecoder(Weights w, CausalAutoencoderConfig config) {
        int coarsest = config.levels() - 1;
        int channels = config.channels(coarsest);
        CausalConv3d convIn = new CausalConv3d(w.at("conv_in"), config.zDim(), channels, 3, 3);
        blocks.add(convIn::forward);
        CausalEncoder.addMiddle(blocks, w.at("mid_block"), channels);
        for (int level = coarsest; level >= 0; level--) {
            Weights up = w.at("up_blocks").at(coarsest - level);
            int out = config.channels(level);
            for (int i = 0; i <= config.numResBlocks(); i++) {
                blocks.add(new ResidualBlock(up.at("resnets").at(i), channels, out));
                channels = out;
            }
            if (level > 0) {
                boolean time = config.temporalDownsample().get(level - 1);
                blocks.add(new Upsample(up.at("upsamplers").at(0), channels, channels / 2, time));
                channels /= 2;
            }
        }
        blocks.add(new OutputBlock(w, channels, config.pixelChannels()));
    }

    @Override
    public Clip forward(Clip in) {
        return CausalBlock.chain(in, blocks);
    }
}
