/**
 * The only face of libtorch: {@link jdiff.runtime.tensor.Tensor} has the operations that models need, named as in PyTorch,
 * {@link jdiff.runtime.tensor.Functional} those of {@code torch.nn.functional}, and {@link jdiff.runtime.tensor.Scope} says how
 * long native memory lives. Every operation runs without autograd (libtorch's inference mode). A new operation is one method
 * here; nothing outside this package and {@code distributed} sees a JavaCPP type.
 */
@NullMarked
package jdiff.runtime.tensor;

import org.jspecify.annotations.NullMarked;
