/**
 * Bytes from files into tensors, and nothing of models: {@link jdiff.runtime.loading.Transfer} is the way of one tensor,
 * {@link jdiff.runtime.loading.TransferQueue} cuts many of them into ranges, {@link jdiff.runtime.loading.ParallelLoad} has
 * a few threads do these, each by a {@link jdiff.runtime.loading.Reader}, {@link jdiff.runtime.loading.LoadSettings} says by how many and how. The figures behind its
 * constants, and what was measured of mapping, page cache and direct reads, stand in
 * {@code runtime/docs/decisions/006-loading.md}. Another way to read is a value of {@link jdiff.runtime.loading.WeightsIo} and
 * an {@link jdiff.runtime.loading.OpenFile}.
 */
@NullMarked
package jdiff.runtime.loading;

import org.jspecify.annotations.NullMarked;
