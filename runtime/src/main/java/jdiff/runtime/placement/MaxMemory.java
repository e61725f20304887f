package jdiff.runtime.placement;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import jdiff.runtime.config.Shown;
import jdiff.runtime.tensor.Device;

/**
 * How many bytes of weights a user allows on each device: the value of {@code --max-memory}.
 *
 * @param bytes no entry: no limit
 */
public record MaxMemory(Map<Device, Long> bytes) {
    /** No limits. */
    public static final MaxMemory NONE = new MaxMemory(Map.of());

    private static final int MAX_SHOWN = 80;

    public MaxMemory {
        bytes = Collections.unmodifiableMap(new LinkedHashMap<>(bytes));
    }

    /**
     * Reads {@code 0=20GiB,cuda:1=20GB,cpu=64GiB}.
     *
     * @throws IllegalArgumentException naming the part that is wrong
     */
    public static MaxMemory parse(String text) {
        Map<Device, Long> bytes = new LinkedHashMap<>();
        for (String part : text.split(",", -1)) {
            int equals = part.indexOf('=');
            Device device = equals < 0
                    ? null
                    : DeviceNames.parse(part.substring(0, equals).strip());
            if (device == null) {
                throw refusal(part, "wanted <device>=<size> as in 0=20GiB or cpu=64GiB");
            }
            try {
                if (bytes.put(device, ByteSize.parse(part.substring(equals + 1))) != null) {
                    throw refusal(part, device + " is there twice");
                }
            } catch (NumberFormatException e) {
                throw refusal(part, String.valueOf(e.getMessage()));
            }
        }
        return new MaxMemory(bytes);
    }

    private static IllegalArgumentException refusal(String part, String why) {
        return new IllegalArgumentException("max memory \"" + Shown.cut(part, MAX_SHOWN) + "\": " + why);
    }
}
