package jdiff.runtime.tensor;

import java.util.function.Function;
import jdiff.runtime.natives.Natives;
import org.bytedeco.pytorch.DeviceOptional;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.TensorOptions;

/** The C++ option objects that calls of libtorch take, and those of them that never change. */
final class NativeOptions {
    static {
        Natives.ensure(); // before the first class of JavaCPP
    }

    static final MemoryFormatOptional ANY_FORMAT = new MemoryFormatOptional();
    static final ScalarTypeOptional SAME_TYPE = new ScalarTypeOptional();
    static final TensorOptional NO_TENSOR = new TensorOptional();
    static final Scalar TWO = new Scalar(2.0);

    private NativeOptions() {}

    static Tensor with(DType dtype, Device device, Function<TensorOptions, org.bytedeco.pytorch.Tensor> call) {
        try (org.bytedeco.pytorch.Device target = device.toNative();
                DeviceOptional on = new DeviceOptional(target);
                ScalarTypeOptional type = new ScalarTypeOptional(ScalarTypes.of(dtype));
                TensorOptions options = new TensorOptions();
                TensorOptions placed = options.device(on);
                TensorOptions typed = placed.dtype(type)) {
            return Tensor.wrap(call.apply(typed));
        }
    }
}
