/**
 * Which processes there are and how they talk: the parsed environment ({@link jdiff.runtime.distributed.WorkerEnvironment}), the
 * grid of ranks ({@link jdiff.runtime.distributed.ParallelDims}, {@link jdiff.runtime.distributed.DeviceMesh}), collectives
 * ({@link jdiff.runtime.distributed.ProcessGroup}) and the job's key-value store ({@link jdiff.runtime.distributed.Store}).
 * {@link jdiff.runtime.distributed.World} is the entry for programs.
 *
 * <p>Legend: <i>rank</i> is a process of the job, <i>index</i> its place in a group, <i>axis</i> a direction of the grid,
 * <i>dim</i> a dimension of a tensor. A new way to move bytes is one more {@code Transport}; checks, counters and messages stay in
 * {@code PeerGroup}. Classes of CUDA and NCCL are named only in {@code CudaRuntime} and {@code NcclTransport}, which are loaded
 * only where a CUDA device is used.
 */
@NullMarked
package jdiff.runtime.distributed;

import org.jspecify.annotations.NullMarked;
