package jdiff.runtime.placement;

import com.fasterxml.jackson.core.JsonToken;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import jdiff.runtime.config.JsonReader;
import jdiff.runtime.config.Shown;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.tensor.Device;

/** Where a user wants a model: the value of {@code --device-map}. */
public sealed interface DeviceMap {
    /** Everything on this process's own device. */
    DeviceMap CUDA = new Own("cuda", Device.Type.CUDA);
    /** Everything on the CPU. */
    DeviceMap CPU = new Own("cpu", Device.Type.CPU);

    /** As it was typed. */
    String text();

    /** Whether it takes devices that other processes of the node would count on, or several at once. */
    boolean needsOneProcess();

    /** The device of this rank, of the given type. */
    record Own(String text, Device.Type type) implements DeviceMap {
        @Override
        public boolean needsOneProcess() {
            return false;
        }
    }

    /** One device by its number. */
    record Single(String text, Device device) implements DeviceMap {
        @Override
        public boolean needsOneProcess() {
            return true;
        }
    }

    /** Over all visible devices by their free memory. */
    record Balanced(String text) implements DeviceMap {
        @Override
        public boolean needsOneProcess() {
            return true;
        }
    }

    /**
     * Component by component.
     *
     * @param devices of components and of modules inside them, {@code transformer.transformer_blocks.12}; the longest name that
     *     fits counts, the empty one fits everything
     */
    record Explicit(String text, Map<String, Device> devices) implements DeviceMap {
        public Explicit {
            devices = Collections.unmodifiableMap(new LinkedHashMap<>(devices));
        }

        @Override
        public boolean needsOneProcess() {
            Set<Device> all = new HashSet<>(devices.values());
            return all.size() > 1 || all.stream().anyMatch(device -> device.type() != Device.Type.CPU);
        }
    }

    /**
     * Reads {@code cuda}, {@code cpu}, {@code cuda:N}, {@code balanced} (also {@code auto}) or a JSON object from components to a
     * number, {@code "cuda:N"} or {@code "cpu"}.
     *
     * @throws IllegalArgumentException naming what is wrong
     */
    static DeviceMap parse(String text) {
        String word = text.strip();
        switch (word) {
            case "cuda" -> {
                return CUDA;
            }
            case "cpu" -> {
                return CPU;
            }
            case "balanced", "auto" -> {
                return new Balanced(word);
            }
            case "disk" -> throw noDisk();
            default -> {
                Device device = word.startsWith("cuda:") ? DeviceNames.parse(word) : null;
                if (device != null) {
                    return new Single(word, device);
                }
                if (word.startsWith("{")) {
                    return explicit(word);
                }
                throw unsupported(word, "");
            }
        }
    }

    private static DeviceMap explicit(String text) {
        Map<String, Device> devices = new LinkedHashMap<>();
        try {
            JsonReader in = JsonReader.of("the object", text);
            in.expect(JsonToken.START_OBJECT, "an object");
            while (in.more()) {
                String key = in.text();
                devices.put(key, device(text, key, in));
            }
            in.end();
        } catch (FaultException e) {
            throw unsupported(text, " (" + e.getMessage() + ")");
        }
        if (devices.isEmpty()) {
            throw unsupported(text, " (the object is empty)");
        }
        return new Explicit(text, devices);
    }

    private static Device device(String text, String key, JsonReader in) throws FaultException {
        JsonToken token = in.next();
        boolean number = token == JsonToken.VALUE_NUMBER_INT;
        String value = in.text();
        if (value.equals("disk")) {
            throw noDisk();
        }
        // A number in quotes may be meant as one, but then it is not known of what.
        Device device =
                number || (token == JsonToken.VALUE_STRING && value.startsWith("c")) ? DeviceNames.parse(value) : null;
        if (device == null) {
            throw unsupported(
                    text,
                    " (the device of \"" + Shown.cut(key, 80) + "\" must be a number, \"cuda:N\" or \"cpu\", not "
                            + Shown.cut(value, 80) + ")");
        }
        return device;
    }

    private static IllegalArgumentException noDisk() {
        return new IllegalArgumentException("disk placement is not supported");
    }

    private static IllegalArgumentException unsupported(String text, String why) {
        return new IllegalArgumentException("device map \"" + Shown.cut(text, 200)
                + "\" is not supported; use cuda, cpu, cuda:N, balanced or a JSON object {component: device}" + why);
    }
}
