package jdiff.runtime.nn;

import java.util.List;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Functional;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.weights.Weights;

/**
 * Sinusoids of the timestep, then Linear, SiLU, Linear; t [B] → [B, C]. The sinusoids are float32,
 * {@code [cos(a), sin(a)]} with {@code a = scale · (t · exp(-ln(10000)·i/(n/2)))}, and are cast to the weights' dtype.
 */
public final class TimestepEmbedding {
    private static final int SINUSOIDS = 256;

    private final Linear linear1;
    private final Linear linear2;
    private final double scale;
    private final Tensor frequencies; // [1, n/2]

    /**
     * Takes {@code linear_1} and {@code linear_2} from the cursor.
     *
     * @param scale what t is multiplied with: 1000 where t runs from 0 to 1
     */
    public TimestepEmbedding(Weights w, long channels, double scale) {
        this.linear1 = Linear.of(w.at("linear_1"), SINUSOIDS, channels);
        this.linear2 = Linear.of(w.at("linear_2"), channels, channels);
        this.scale = scale;
        this.frequencies = frequencies();
    }

    private static Tensor frequencies() {
        int half = SINUSOIDS / 2;
        return Tensor.arange(0, half, DType.F32, Device.CPU)
                .mul(-Math.log(10000))
                .div(half)
                .exp()
                .reshape(1, half);
    }

    public Tensor forward(Tensor timestep) {
        Tensor angles = timestep.to(DType.F32)
                .unsqueeze(1)
                .mul(frequencies.to(timestep.device()))
                .mul(scale); // [B, n/2]
        Tensor sinusoids = Tensor.cat(List.of(angles.cos(), angles.sin()), 1).to(linear1.dtype());
        return linear2.forward(Functional.silu(linear1.forward(sinusoids)));
    }
}
