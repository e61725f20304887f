package jdiff.runtime.nn;

import java.util.ArrayList;
import java.util.List;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Movable;
import jdiff.runtime.tensor.Tensor;

/**
 * Rotary position embedding on adjacent pairs of channels: pair i of an axis is turned by {@code p · theta^(-2i/dim)}. Angles
 * and products are float32, the result has the dtype of its input.
 *
 * @param rotation complex64 [1, S, 1, D/2]: cos + i·sin of each token and pair
 */
public record Rope(Tensor rotation) implements Movable<Rope> {
    /**
     * The rotations of tokens at given positions.
     *
     * @param positions float32 [S, A]
     * @param axesDims channels of a head that each of the A axes turns; their sum is D
     */
    public static Rope of(Tensor positions, int[] axesDims, double theta) {
        List<Tensor> angles = new ArrayList<>(axesDims.length);
        for (int axis = 0; axis < axesDims.length; axis++) {
            Tensor p = positions.narrow(1, axis, 1); // [S, 1]
            angles.add(p.mul(frequencies(axesDims[axis], theta).to(positions.device())));
        }
        Tensor all = Tensor.cat(angles, 1); // [S, D/2]
        Tensor rotation = Tensor.stack(List.of(all.cos(), all.sin()), -1).viewAsComplex();
        return new Rope(rotation.unsqueeze(0).unsqueeze(2));
    }

    @Override
    public Rope to(Device device) {
        return new Rope(rotation.to(device));
    }

    /** theta^(-2i/dim) for i < dim/2 in float32, as the reference implementations compute it; [1, dim/2]. */
    public static Tensor frequencies(int dim, double theta) {
        float[] values = new float[dim / 2];
        for (int i = 0; i < values.length; i++) {
            values[i] = 1f / (float) Math.pow(theta, (float) (2 * i) / dim);
        }
        return Tensor.of(values, 1, values.length);
    }

    /** x [B, S, H, D] → [B, S, H, D]. */
    public Tensor rotate(Tensor x) {
        Tensor pairs =
                x.to(DType.F32).reshape(x.size(0), x.size(1), x.size(2), -1, 2).viewAsComplex();
        Tensor turned = pairs.mul(rotation).viewAsReal();
        return turned.reshape(x.shape()).to(x.dtype());
    }
}
