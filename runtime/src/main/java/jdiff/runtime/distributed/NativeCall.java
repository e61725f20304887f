package jdiff.runtime.distributed;

import java.util.function.Function;
import java.util.function.Supplier;
import org.bytedeco.pytorch.PrefixStore;
import org.bytedeco.pytorch.Store;

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

    static void run(Runnable body) {
        of(() -> {
            body.run();
            return body;
        });
    }

    /**
     * Gives {@code body} a view of the store under a prefix, to be passed to one C++ constructor. JavaCPP makes a PrefixStore
     * (as a TCPStore) without reference count; the first C++ object that it is passed to becomes its owner and frees it. A
     * second pass would end the process, and so would freeing it here.
     *
     * @param connection a store with a reference count, as {@code clone()} makes it
     */
    static <T> T withPrefix(String prefix, Store connection, Function<Store, T> body) {
        @SuppressWarnings("resource")
        PrefixStore keys = new PrefixStore(prefix, connection);
        try {
            return body.apply(keys);
        } finally {
            keys.deallocate(false);
        }
    }
}
