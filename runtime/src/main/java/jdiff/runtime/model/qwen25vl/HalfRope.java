package jdiff.runtime.model.qwen25vl;

import java.util.List;
import java.util.function.Consumer;
import jdiff.runtime.nn.Rope;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Movable;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.tensor.TensorGroup;

/**
 * Rotary embedding that pairs channel i with channel i + D/2. For text alone the three position axes of Qwen2.5-VL are equal,
 * so it is the ordinary one. Tables are computed in float32 and used in the model's dtype.
 *
 * @param cos [S, D]
 * @param sin [S, D]
 */
record HalfRope(Tensor cos, Tensor sin) implements TensorGroup, Movable<HalfRope> {
    static HalfRope of(long numTokens, int headDim, double theta, DType dtype, Device device) {
        Tensor half =
                Tensor.arange(0, numTokens, DType.F32, Device.CPU).unsqueeze(1).mul(Rope.frequencies(headDim, theta));
        Tensor angles = Tensor.cat(List.of(half, half), 1).to(device);
        return new HalfRope(angles.cos().to(dtype), angles.sin().to(dtype));
    }

    /** x [B, H, S, D] → [B, H, S, D]. */
    Tensor rotate(Tensor x) {
        long half = x.size(-1) / 2;
        Tensor turned = Tensor.cat(List.of(x.narrow(-1, half, half).neg(), x.narrow(-1, 0, half)), -1);
        return x.mul(cos).add(turned.mul(sin));
    }

    @Override
    public HalfRope to(Device device) {
        return new HalfRope(cos.to(device), sin.to(device));
    }

    @Override
    public void forEachTensor(Consumer<Tensor> action) {
        action.accept(cos);
        action.accept(sin);
    }
}
