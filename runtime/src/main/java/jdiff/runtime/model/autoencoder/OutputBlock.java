package jdiff.runtime.model.autoencoder;

import jdiff.runtime.nn.CausalConv3d;
import jdiff.runtime.nn.ChannelRmsNorm;
import jdiff.runtime.nn.Clip;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.weights.Weights;

/** conv_out(silu(norm_out(x))): the end of the encoder and of the decoder. */
final class OutputBlock implements CausalBlock {
    private final ChannelRmsNorm normOut;
    private final CausalConv3d convOut;

    OutputBlock(Weights w, long in, long out) {
        this.normOut = new ChannelRmsNorm(w.at("norm_out"), in, 3);
        this.convOut = new CausalConv3d(w.at("conv_out"), in, out, 3, 3);
    }

    @Override
    public Clip forward(Clip in) {
        return Scope.tidy(() -> convOut.forward(in.map(normOut::forwardSilu)));
    }
}
