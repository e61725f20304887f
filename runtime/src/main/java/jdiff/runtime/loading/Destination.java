package jdiff.runtime.loading;

import java.util.concurrent.atomic.AtomicLong;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;

/** The memory of one transfer while it is filled. */
final class Destination implements AutoCloseable {
    private final int component;
    private final Transfer transfer;
    private final boolean mapped;
    private final Scope scope;
    private final Tensor tensor;
    private final AtomicLong filled = new AtomicLong();

    private Destination(int component, Transfer transfer, boolean mapped, Scope scope, Tensor tensor) {
        this.component = component;
        this.transfer = transfer;
        this.mapped = mapped;
        this.scope = scope;
        this.tensor = tensor;
    }

    /** Memory of its own, at its final size. */
    static Destination allocated(int component, Transfer transfer) {
        Scope scope = Scope.keep();
        Tensor tensor = scope.hold(() -> Tensor.empty(transfer.dtype(), transfer.device(), transfer.shape()));
        return new Destination(component, transfer, false, scope, tensor);
    }

    /** The bytes of the file itself, {@code file} being uint8 over all of it. */
    static Destination mapped(int component, Transfer transfer, Tensor file) {
        Scope scope = Scope.keep();
        long offset = transfer.slices().isEmpty() ? 0 : transfer.slices().get(0).fileOffset();
        Tensor bytes = scope.hold(() -> file.narrow(0, offset, transfer.fileBytes()));
        Tensor tensor = scope.hold(() -> bytes.view(transfer.dtype()).view(transfer.shape()));
        return new Destination(component, transfer, true, scope, tensor);
    }

    int component() {
        return component;
    }

    Transfer transfer() {
        return transfer;
    }

    Tensor tensor() {
        return tensor;
    }

    boolean isMapped() {
        return mapped;
    }

    /** Whether a read can end in this memory. */
    boolean isDirect() {
        return transfer.keepsBytes() && transfer.device().type() == Device.Type.CPU;
    }

    /** Notes that {@code elements} more are in place. */
    void filled(long elements) {
        filled.addAndGet(elements);
    }

    void requireFilled() {
        if (filled.get() != transfer.numel()) {
            throw new IllegalStateException("tensor " + transfer.name() + ": " + filled.get() + " of "
                    + transfer.numel() + " elements were filled");
        }
    }

    @Override
    public void close() {
        scope.close();
    }
}
