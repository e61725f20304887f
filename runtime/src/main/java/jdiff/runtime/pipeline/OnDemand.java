package jdiff.runtime.pipeline;

import java.io.UncheckedIOException;
import java.util.Objects;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.tensor.Scope;
import org.jspecify.annotations.Nullable;

/**
 * A part of a model that is in memory from its first use until it is released, and again from its next use on. Owns the memory.
 * Used by one thread at a time.
 */
final class OnDemand<T> implements AutoCloseable {
    private final Loader<T> loader;
    private @Nullable Scope scope;
    private @Nullable T value;

    /** Reads the part; {@code scope} owns what it makes. */
    @FunctionalInterface
    interface Loader<T> {
        T load(Scope scope) throws FaultException;
    }

    OnDemand(Loader<T> loader) {
        this.loader = loader;
    }

    /** Loads it now, if it is not there, and this time with {@code first}. */
    void load(Loader<T> first) throws FaultException {
        if (value != null) {
            return;
        }
        Scope made = Scope.keep();
        try {
            value = Objects.requireNonNull(first.load(made));
            scope = made;
        } finally {
            if (scope != made) {
                made.close();
            }
        }
    }

    /** Loads it now, if it is not there. */
    void load() throws FaultException {
        load(loader);
    }

    /**
     * The part, loaded if need be.
     *
     * @throws UncheckedIOException with the {@link FaultException} of a load that failed
     */
    T get() {
        try {
            load();
        } catch (FaultException e) {
            throw new UncheckedIOException(e);
        }
        return Objects.requireNonNull(value);
    }

    /** Frees its memory; the next use loads it again. */
    void release() {
        value = null;
        if (scope != null) {
            scope.close();
            scope = null;
        }
    }

    @Override
    public void close() {
        release();
    }
}
