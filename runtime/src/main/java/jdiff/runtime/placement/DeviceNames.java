package jdiff.runtime.placement;

import jdiff.runtime.tensor.Device;
import org.jspecify.annotations.Nullable;

/** Devices as a user writes them. */
final class DeviceNames {
    private static final String CUDA = "cuda:";
    private static final String CPU = "cpu";

    private DeviceNames() {}

    /** {@code cpu}, {@code cpu:N}, {@code cuda:N} or the number alone; null for anything else. */
    static @Nullable Device parse(String name) {
        if (name.equals(CPU)) {
            return Device.CPU;
        }
        if (name.startsWith(CPU + ":")) {
            Integer index = index(name.substring(CPU.length() + 1));
            return index == null ? null : new Device(Device.Type.CPU, index);
        }
        Integer index = index(name.startsWith(CUDA) ? name.substring(CUDA.length()) : name);
        return index == null ? null : Device.cuda(index);
    }

    private static @Nullable Integer index(String text) {
        return text.matches("[0-9]{1,4}") ? Integer.valueOf(text) : null;
    }
}
