package jdiff.runtime.fault;

import java.io.IOException;
import java.util.Objects;

/**
 * A failure of the world outside this program, with its {@link Fault}. The message is for the user: what was wanted, what was
 * found, where, and what to do; it is shown without a stack.
 */
public final class FaultException extends IOException {
    private final Fault fault;

    public FaultException(Fault fault, String message) {
        super(message);
        this.fault = Objects.requireNonNull(fault);
    }

    public FaultException(Fault fault, String message, Throwable cause) {
        super(message, cause);
        this.fault = Objects.requireNonNull(fault);
    }

    public Fault fault() {
        return fault;
    }
}
