package jdiff.runtime.tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import jdiff.runtime.natives.Natives;
import org.bytedeco.pytorch.InferenceMode;
import org.jspecify.annotations.Nullable;

/**
 * Lifetime of native memory. A tensor belongs to the innermost scope of the thread that made it and is freed when that scope
 * ends; what a scope returns moves to the enclosing one. Freeing a tensor never breaks a view of it, since views share storage.
 * Three verbs: {@link #tidy} around a computation, {@link #fold} for loops, {@link #keep} for what lives as long as its owner.
 */
public final class Scope implements AutoCloseable {
    static {
        Natives.ensure(); // before the first class of JavaCPP
    }

    private static final AtomicLong LIVE = new AtomicLong();
    private static final ThreadLocal<PerThread> CURRENT = ThreadLocal.withInitial(PerThread::new);

    private final List<Tensor> tensors = new ArrayList<>();

    private Scope() {}

    /** What a thread needs once: the stack's top, and inference mode for good, since nothing here trains. */
    private static final class PerThread {
        @SuppressWarnings("unused") // held so that the mode lasts as long as the thread
        private final InferenceMode inferenceMode = new InferenceMode(true);

        private @Nullable Scope top;
    }

    /** Runs {@code body}; its temporaries die, its result (a tensor, a {@link TensorGroup}, a list of these) survives. */
    public static <T extends @Nullable Object> T tidy(Supplier<T> body) {
        return new Scope().run(body);
    }

    /** Runs {@code body} for its effects; all tensors it made die. */
    public static void tidy(Runnable body) {
        new Scope().<@Nullable Object>run(() -> {
            body.run();
            return null;
        });
    }

    /**
     * {@code value = step(value, item)} over {@code items}, each step in a scope of its own that also frees the value before
     * it. The start value stays with its owner.
     */
    public static <T, I> T fold(T start, Iterable<I> items, BiFunction<T, I, T> step) {
        Scope values = new Scope();
        return values.run(() -> {
            T value = start;
            for (I item : items) {
                T previous = value;
                Scope scope = new Scope();
                values.moveTo(scope, previous);
                value = scope.run(() -> step.apply(previous, item));
            }
            return value;
        });
    }

    /** A scope that its owner closes: {@link #hold} puts what it makes into it. */
    public static Scope keep() {
        return new Scope();
    }

    /** Runs {@code body}; every tensor it makes, temporaries too, stays alive until this scope is closed. */
    public <T> T hold(Supplier<T> body) {
        PerThread thread = CURRENT.get();
        Scope outer = thread.top;
        thread.top = this;
        try {
            return body.get();
        } finally {
            thread.top = outer;
        }
    }

    /** Calls {@code action} with each tensor that this scope owns. */
    public void forEach(Consumer<Tensor> action) {
        List.copyOf(tensors).forEach(action);
    }

    /** Frees all tensors of this scope. */
    @Override
    public void close() {
        for (int i = tensors.size() - 1; i >= 0; i--) {
            tensors.get(i).free();
        }
        LIVE.addAndGet(-tensors.size());
        tensors.clear();
    }

    /** Tensors alive in any scope of this process: back at its earlier value after a request, or something leaks. */
    public static long liveTensors() {
        return LIVE.get();
    }

    /** Called for each new tensor; without an open scope the garbage collector frees it. */
    static void register(Tensor tensor) {
        Scope top = CURRENT.get().top;
        if (top != null) {
            tensor.owner = top;
            top.tensors.add(tensor);
            LIVE.incrementAndGet();
        }
    }

    private <T extends @Nullable Object> T run(Supplier<T> body) {
        PerThread thread = CURRENT.get();
        Scope outer = thread.top;
        thread.top = this;
        try {
            T result = body.get();
            moveTo(outer, result);
            return result;
        } finally {
            thread.top = outer;
            close();
        }
    }

    /** Hands those tensors of {@code value} that this scope owns to {@code other}, or to the garbage collector. */
    private void moveTo(@Nullable Scope other, @Nullable Object value) {
        if (value instanceof TensorGroup group) {
            group.forEachTensor(tensor -> moveTensor(other, tensor));
        } else if (value instanceof Iterable<?> items) {
            items.forEach(item -> moveTo(other, item));
        }
    }

    private void moveTensor(@Nullable Scope other, Tensor tensor) {
        if (tensor.owner != this) {
            return;
        }
        for (int i = tensors.size() - 1; i >= 0; i--) { // from the end: results are usually the latest tensors
            if (tensors.get(i) == tensor) {
                tensors.remove(i);
                break;
            }
        }
        tensor.owner = other;
        if (other == null) {
            LIVE.decrementAndGet();
        } else {
            other.tensors.add(tensor);
        }
    }
}
