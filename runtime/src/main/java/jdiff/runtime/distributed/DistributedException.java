package jdiff.runtime.distributed;

import java.io.UncheckedIOException;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;

/**
 * A collective or an access to the store that failed: a peer was lost, is silent, or does something else. Unchecked, because
 * collectives happen deep inside model code; the checked {@link FaultException} inside carries cause and exit code.
 */
public final class DistributedException extends UncheckedIOException {
    private final Fault fault;

    public DistributedException(Fault fault, String message) {
        super(message, new FaultException(fault, message));
        this.fault = fault;
    }

    public DistributedException(Fault fault, String message, Throwable cause) {
        super(message, new FaultException(fault, message, cause));
        this.fault = fault;
    }

    public Fault fault() {
        return fault;
    }
}
