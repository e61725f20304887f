package jdiff.runtime.distributed;

import java.util.function.Supplier;

/** Calls libtorch's distributed part, whose errors are RuntimeExceptions with a C++ text. */
final class NativeCall {
    private NativeCall() {}

    static <T> T of(Supplier<T> body) {
        try {
            return body.get();
        } catch (DistributedException e) {
            throw e;
        } catch (RuntimeException e) {
            throw NativeFailure.of(e);
        }
    }
}
