package jdiff.runtime.nn;

import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Functional;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.weights.Weights;

/**
 * x / sqrt(mean(x²) + eps) · w over the last dimension; [.., C] → [.., C]. The normalised value is rounded to the weight's dtype
 * before the product, as Diffusers' and Transformers' own classes do ({@code torch.nn.RMSNorm} rounds once, at the end).
 */
public final class RmsNorm {
    private final Tensor weight;
    private final double eps;

    public RmsNorm(Weights w, long channels, double eps) {
        this.weight = w.get("weight", channels);
        this.eps = eps;
    }

    public Tensor forward(Tensor x) {
        if (x.dtype() == DType.F32 && weight.dtype() == DType.F32) {
            return Functional.rmsNorm(x, weight, eps); // in float32 both orders of rounding are one
        }
        return Functional.rmsNorm(x, null, eps).to(weight.dtype()).mul(weight);
    }
}
