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
        blocks.add(new MidBlock(w.at("mid_block"), channels));
        for (int level = coarsest; level >= 0; level--) {
            blocks.add(new UpBlock(w.at("up_blocks").at(coarsest - level), config, level, channels));
            channels = config.channels(level) / 2; // the step to the next level halves them
        }
        blocks.add(new OutputBlock(w, config.channels(0), config.pixelChannels()));
    }

    /** conv_in, mid_block, up_blocks.0 .. and the output. */
    List<CausalBlock> blocks() {
        return List.copyOf(blocks);
    }

    @Override
    public Clip forward(Clip in) {
        return CausalBlock.chain(in, blocks);
    }
}
