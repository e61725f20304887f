/**
 * From a prompt to a picture: a {@link jdiff.runtime.pipeline.Pipeline} holds the components of one model family and says how
 * they work together; {@link jdiff.runtime.pipeline.Pipelines} finds the one that a folder's {@code model_index.json} names,
 * makes its {@link jdiff.runtime.pipeline.ModelPlan} from configs and headers, and loads it.
 * Guidance and, later, context parallelism are decorators of a {@link jdiff.runtime.pipeline.Denoiser}.
 *
 * <p>Legend: <i>B</i> pictures of a batch, <i>L</i> image tokens, <i>S</i> text tokens, <i>h</i>, <i>w</i> latent height and
 * width. A new family is one {@code <Name>Plan} with its {@code ComponentType}s and one {@code <Name>Pipeline} here, and one
 * line in {@code Pipelines}.
 */
@NullMarked
package jdiff.runtime.pipeline;

import org.jspecify.annotations.NullMarked;
