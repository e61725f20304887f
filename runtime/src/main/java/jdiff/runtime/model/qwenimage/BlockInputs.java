package jdiff.runtime.model.qwenimage;

import jdiff.runtime.nn.Rope;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Movable;
import jdiff.runtime.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * What all blocks read besides the streams.
 *
 * @param activation silu(temb) [B, K]
 * @param rope of the text tokens, then the image tokens
 * @param keyMask bool [B, S + L], or none
 */
record BlockInputs(Tensor activation, Rope rope, @Nullable Tensor keyMask) implements Movable<BlockInputs> {
    @Override
    public BlockInputs to(Device device) {
        return new BlockInputs(activation.to(device), rope.to(device), keyMask == null ? null : keyMask.to(device));
    }
}
