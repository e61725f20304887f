package jdiff.runtime.pipeline;

import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;

/**
 * True classifier-free guidance of Qwen-Image: {@code c = n + s·(p - n)}, then {@code c · |p| / |c|} with norms over the channels
 * of each token, all in the model's dtype. Both branches are evaluated one after the other, never as one batch of two, so that
 * they may run on two groups of ranks with the same bits.
 */
final class Guidance implements Denoiser<Guided> {
    private final Denoiser<Conditioning> inner;
    private final double scale;

    Guidance(Denoiser<Conditioning> inner, double scale) {
        this.inner = inner;
        this.scale = scale;
    }

    @Override
    public Tensor predict(Tensor latents, Tensor timestep, Guided guided) {
        Conditioning negative = guided.negative();
        if (negative == null) {
            return inner.predict(latents, timestep, guided.positive());
        }
        return Scope.tidy(() -> {
            Tensor p = inner.predict(latents, timestep, guided.positive());
            Tensor n = inner.predict(latents, timestep, negative);
            Tensor combined = n.add(p.sub(n).mul(scale));
            return combined.mul(p.norm(-1).div(combined.norm(-1)));
        });
    }
}
