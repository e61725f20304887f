package jdiff.runtime.loading;

import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Staging for tensors on the CPU: one piece of memory, made when first needed; copies are done on return. */
final class HostStage implements Stage {
    private final Scope scope = Scope.keep();
    private final int bytes;
    private @Nullable Tensor memory;

    HostStage(int bytes) {
        this.bytes = bytes;
    }

    @Override
    public Tensor memory() {
        Tensor made = memory;
        if (made == null) {
            made = scope.hold(() -> Tensor.empty(DType.U8, Device.CPU, bytes));
            memory = made;
        }
        return made;
    }

    @Override
    public void copy(Tensor to, Tensor from) {
        to.copy_(from);
    }

    @Override
    public void finishEarlier() {}

    @Override
    public void finish() {}

    @Override
    public void close() {
        scope.close();
    }
}
