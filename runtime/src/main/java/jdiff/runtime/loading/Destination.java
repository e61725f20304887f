package jdiff.runtime.loading;

import java.util.concurrent.atomic.AtomicLong;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one transfer while it is filled, at its final size. It is made when it is first asked for, so that readers can
 * begin while most of it is not there yet.
 */
final class Destination implements AutoCloseable {
    private final int component;
    private final Transfer transfer;
    private final @Nullable Tensor file;
    private final Scope scope = Scope.keep();
    private final AtomicLong filled = new AtomicLong();
    private @Nullable Tensor tensor;

    /** @param file uint8 over all of the file, mapped, for a transfer that {@link Transfer#isAligned}; null if it can only be read */
    Destination(int component, Transfer transfer, @Nullable Tensor file) {
        this.component = component;
        this.transfer = transfer;
        this.file = file;
    }

    int component() {
        return component;
    }

    Transfer transfer() {
        return transfer;
    }

    /** @throws IllegalStateException if there is not enough memory */
    synchronized Tensor tensor() {
        Tensor made = tensor;
        if (made == null) {
            made = file != null && isMapped() ? viewOf(file) : allocate();
            tensor = made;
        }
        return made;
    }

    private Tensor allocate() {
        return scope.hold(() -> Tensor.empty(transfer.dtype(), transfer.device(), transfer.shape()));
    }

    private Tensor viewOf(Tensor file) {
        long offset = transfer.slices().isEmpty() ? 0 : transfer.slices().get(0).fileOffset();
        return scope.hold(() -> file.narrow(0, offset, transfer.fileBytes())
                .view(transfer.dtype())
                .view(transfer.shape()));
    }

    /** uint8 over all of the file, mapped; null if it can only be read. */
    @Nullable Tensor file() {
        return file;
    }

    /** Whether its memory is that of the file. */
    boolean isMapped() {
        return file != null && transfer.isMappable();
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
