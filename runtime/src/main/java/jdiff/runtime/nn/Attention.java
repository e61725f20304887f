package jdiff.runtime.nn;

import jdiff.runtime.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * Exact attention over the whole sequence, given this rank's slice of it. Implementations differ in how the slices meet, never
 * in the result.
 */
@FunctionalInterface
public interface Attention {
    /**
     * softmax(q kᵀ/sqrt(D) + mask) v.
     *
     * @param qkv this rank's tokens and heads
     * @param keyMask bool [B, S] of the <em>whole</em> sequence, true = visible; none if all keys are
     * @return [B, S, H, D] for this rank's tokens
     */
    Tensor forward(Qkv qkv, @Nullable Tensor keyMask);
}
