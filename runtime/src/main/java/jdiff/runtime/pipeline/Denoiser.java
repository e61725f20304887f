package jdiff.runtime.pipeline;

import jdiff.runtime.tensor.Tensor;

/**
 * Predicts noise or velocity; what decorates it (guidance, context parallelism, step caches) is a denoiser again.
 *
 * @param <C> what the prediction depends on besides latents and time
 */
@FunctionalInterface
public interface Denoiser<C> {
    /**
     * Predicts for a batch at one moment.
     *
     * @param latents as the model takes them
     * @param timestep [B]
     * @return of the shape of the latents
     */
    Tensor predict(Tensor latents, Tensor timestep, C conditioning);
}
