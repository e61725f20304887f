package jdiff.runtime.model.autoencoder;

import java.util.List;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;

/** Mean and standard deviation per latent channel: a diffusion model works on latents of mean 0 and deviation 1. */
final class LatentStatistics {
    static final double[] QWEN_IMAGE_MEAN = {
        -0.7571, -0.7089, -0.9113, 0.1075, -0.1745, 0.9653, -0.1517, 1.5508, 0.4134, -0.0715, 0.5517, -0.3632, -0.1922,
        -0.9497, 0.2503, -0.2921
    };
    static final double[] QWEN_IMAGE_STD = {
        2.8184, 1.4541, 2.3275, 2.6558, 1.2196, 1.7708, 2.6052, 2.0743,
        3.2687, 2.1526, 2.8652, 1.5579, 1.6382, 1.1253, 2.8251, 1.9160
    };

    private final float[] mean;
    private final float[] std;

    LatentStatistics(List<Double> mean, List<Double> std) {
        this.mean = new float[mean.size()];
        this.std = new float[std.size()];
        for (int i = 0; i < this.mean.length; i++) {
            this.mean[i] = mean.get(i).floatValue();
            this.std[i] = std.get(i).floatValue();
        }
    }

    /** z / (1/std) + mean; std, 1/std and mean are each rounded to z's dtype, as Diffusers does; [B, z, T, h, w]. */
    Tensor denormalize(Tensor z) {
        return Scope.tidy(() -> z.div(inverseStd(z)).add(like(z, mean)));
    }

    /** (z - mean) · (1/std); [B, z, T, h, w]. */
    Tensor normalize(Tensor z) {
        return Scope.tidy(() -> z.sub(like(z, mean)).mul(inverseStd(z)));
    }

    private Tensor inverseStd(Tensor z) {
        return like(z, std).pow(-1);
    }

    private static Tensor like(Tensor z, float[] values) {
        return Tensor.of(values, 1, values.length, 1, 1, 1).to(z.dtype()).to(z.device());
    }
}
