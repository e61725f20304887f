package jdiff.runtime.loading;

import jdiff.runtime.tensor.Tensor;

/**
 * Memory of one reader through which bytes pass that cannot be read in place: because their dtype changes, or because they go to
 * another device.
 */
interface Stage extends AutoCloseable {
    /** Alignment of its memory, a multiple of the size of every element. */
    int ALIGNMENT = 64;

    /** uint8 on the host, free to be overwritten; what was copied from it before is in place then. */
    Tensor memory();

    /** Copies {@code from}, which lies in {@link #memory}, into {@code to} and casts it; may be under way on return. */
    void copy(Tensor to, Tensor from);

    /** Waits until everything is in place that was copied before the last call of {@link #memory}. */
    void finishEarlier();

    /** Waits until everything copied is in place. */
    void finish();

    @Override
    void close();
}
