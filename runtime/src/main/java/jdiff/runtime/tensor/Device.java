package jdiff.runtime.tensor;

import org.bytedeco.pytorch.global.torch.DeviceType;

/**
 * Where a tensor lives: the CPU, one CUDA device, or nowhere ({@link #META}: shape without memory). A CPU of an index above 0 is the
 * same memory under another name, so that what moves between devices can be tried without any: a tensor there says that it is on
 * {@link #CPU}.
 */
public record Device(Type type, int index) {
    /** Kinds of device. */
    public enum Type {
        CPU,
        CUDA,
        META
    }

    public static final Device CPU = new Device(Type.CPU, 0);
    public static final Device META = new Device(Type.META, 0);

    public Device {
        if (index < 0) {
            throw new IllegalArgumentException("device index must not be negative, got " + index);
        }
    }

    public static Device cuda(int index) {
        return new Device(Type.CUDA, index);
    }

    static Device of(org.bytedeco.pytorch.Device device) {
        if (device.is_cpu()) {
            return CPU;
        }
        if (device.is_meta()) {
            return META;
        }
        return cuda(Math.max(0, device.index()));
    }

    org.bytedeco.pytorch.Device toNative() {
        return switch (type) {
            case CPU -> new org.bytedeco.pytorch.Device(DeviceType.CPU);
            case CUDA -> new org.bytedeco.pytorch.Device(DeviceType.CUDA, (byte) index);
            case META -> new org.bytedeco.pytorch.Device(DeviceType.Meta);
        };
    }

    /** What a record is given instead takes 10 ms when it is first called, and every start of a worker would wait for them. */
    @Override
    public int hashCode() {
        return 31 * index + type.hashCode();
    }

    @Override
    public String toString() {
        return switch (type) {
            case CPU -> index == 0 ? "cpu" : "cpu:" + index;
            case CUDA -> "cuda:" + index;
            case META -> "meta";
        };
    }
}
