/**
 * What {@code scripts/gpu-check} runs: the golden cases and the demo on CPU and CUDA, every collective on NCCL, one table. A new
 * case is one more name in {@link jdiff.cli.gpu.GpuCheckMain}.
 */
@NullMarked
package jdiff.cli.gpu;

import org.jspecify.annotations.NullMarked;
