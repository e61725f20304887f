package jdiff.runtime.weights;

import java.util.concurrent.atomic.AtomicLong;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;

/** The memory of one parameter while it is filled and until the model has taken it. */
final class Destination implements AutoCloseable {
    private final Parameter parameter;
    private final Scope scope = Scope.keep();
    private final Tensor tensor;
    private final AtomicLong filled = new AtomicLong();
    private int usesLeft;

    Destination(Parameter parameter, Device device) {
        this.parameter = parameter;
        this.usesLeft = parameter.uses();
        this.tensor = scope.hold(() -> Tensor.empty(parameter.dtype(), device, parameter.shape()));
    }

    Parameter parameter() {
        return parameter;
    }

    Tensor tensor() {
        return tensor;
    }

    /** Notes that {@code elements} more are in place. */
    void filled(long elements) {
        filled.addAndGet(elements);
    }

    void requireFilled() {
        if (filled.get() != parameter.numel()) {
            throw new IllegalStateException("parameter " + parameter.name() + ": " + filled.get() + " of "
                    + parameter.numel() + " elements were filled");
        }
    }

    /** A tensor of the current scope on this memory; after the last expected use nothing else holds it. */
    Tensor take() {
        if (usesLeft == 0) {
            throw new IllegalStateException("the model asks for " + parameter.name() + " more often than before");
        }
        Tensor taken = tensor.view(parameter.shape());
        if (--usesLeft == 0) {
            scope.close();
        }
        return taken;
    }

    @Override
    public void close() {
        scope.close();
    }
}
