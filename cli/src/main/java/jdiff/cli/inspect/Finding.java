package jdiff.cli.inspect;

import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import org.jspecify.annotations.Nullable;

/**
 * Something that is not as it should be.
 *
 * @param component where; empty for the model as a whole
 * @param fault why loading would fail; null for a warning
 */
record Finding(String component, String text, @Nullable Fault fault) {
    static Finding warning(String component, String text) {
        return new Finding(component, text, null);
    }

    static Finding error(String component, FaultException e) {
        return new Finding(component, String.valueOf(e.getMessage()), e.fault());
    }

    String severity() {
        return fault == null ? "warning" : "error";
    }
}
