package jdiff.runtime.loading;

import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.PinnedRing;
import jdiff.runtime.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Staging for tensors on CUDA devices: one slot is filled while another is on its way. */
final class PinnedStage implements Stage {
    static final int SLOTS = 2;

    private final int bytes;
    private @Nullable PinnedRing ring;

    PinnedStage(int bytes) {
        this.bytes = bytes;
    }

    @Override
    public Tensor memory() {
        return ring().next();
    }

    @Override
    public void copy(Tensor to, Tensor from) {
        if (to.device().type() == Device.Type.CUDA) {
            ring().copy(to, from);
        } else {
            to.copy_(from);
        }
    }

    @Override
    public void finishEarlier() {
        ring().finishEarlier();
    }

    @Override
    public void finish() {
        if (ring != null) {
            ring.finish();
        }
    }

    private PinnedRing ring() {
        PinnedRing made = ring;
        if (made == null) {
            made = new PinnedRing(SLOTS, bytes);
            ring = made;
        }
        return made;
    }

    @Override
    public void close() {
        if (ring != null) {
            ring.close();
        }
    }
}
