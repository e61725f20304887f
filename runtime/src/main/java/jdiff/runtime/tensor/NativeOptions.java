package jdiff.runtime.tensor;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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

    /** Six native objects are made for each; there are few, and every new tensor needs one. */
    private static final Map<Device, Map<DType, TensorOptions>> KNOWN = new ConcurrentHashMap<>();

    private NativeOptions() {}

    /** {@code call} must leave the options as they are: they are everybody's. */
    static Tensor with(DType dtype, Device device, Function<TensorOptions, org.bytedeco.pytorch.Tensor> call) {
        TensorOptions options = KNOWN.computeIfAbsent(device, d -> new ConcurrentHashMap<>())
                .computeIfAbsent(dtype, d -> of(d, device));
        return Tensor.wrap(call.apply(options));
    }

    private static TensorOptions of(DType dtype, Device device) {
        try (org.bytedeco.pytorch.Device target = device.toNative();
                DeviceOptional on = new DeviceOptional(target);
                ScalarTypeOptional type = new ScalarTypeOptional(ScalarTypes.of(dtype));
                TensorOptions options = new TensorOptions();
                TensorOptions placed = options.device(on)) {
            return placed.dtype(type);
        }
    }
}
