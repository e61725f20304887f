package jdiff.runtime.model.autoencoder;

import java.util.List;
import jdiff.runtime.nn.Clip;
import jdiff.runtime.tensor.Scope;

/** A part of the encoder or decoder. Immutable: what it remembers between chunks of a video travels in the clip. */
interface CausalBlock {
    Clip forward(Clip in);

    /** One block after another. */
    static Clip chain(Clip in, List<CausalBlock> blocks) {
        return Scope.fold(in, blocks, (clip, block) -> block.forward(clip));
    }
}
