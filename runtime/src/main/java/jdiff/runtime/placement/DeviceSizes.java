package jdiff.runtime.placement;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import jdiff.runtime.distributed.CudaRuntime;
import jdiff.runtime.loading.HostMemory;
import jdiff.runtime.tensor.CudaMemory;
import jdiff.runtime.tensor.Device;
import org.jspecify.annotations.Nullable;

/**
 * The devices that this process can use, with their memory; the CPU is always one of them.
 *
 * @param all accelerators in the order of their numbers, then the CPU
 */
public record DeviceSizes(List<Size> all) {
    private static final long LEAST_RESERVE = 1L << 30;
    private static final int RESERVED_PART = 10;

    /**
     * One device.
     *
     * @param freeBytes what can be allocated now
     * @param totalBytes what could be, were nobody else there
     * @param maxBytes of weights that the user allows
     */
    public record Size(Device device, long freeBytes, long totalBytes, long maxBytes) {
        /** One without a limit. */
        public Size(Device device, long freeBytes, long totalBytes) {
            this(device, freeBytes, totalBytes, Long.MAX_VALUE);
        }

        /** Bytes for weights: the free ones less max(1 GiB, 10 %) for activations, at most {@link #maxBytes}. */
        long room() {
            return Math.min(Math.max(0, freeBytes - Math.max(LEAST_RESERVE, freeBytes / RESERVED_PART)), maxBytes);
        }

        boolean isCpu() {
            return device.type() == Device.Type.CPU && device.index() == 0;
        }
    }

    public DeviceSizes {
        all = List.copyOf(all);
        if (all.stream().noneMatch(Size::isCpu)) {
            throw new IllegalArgumentException("the CPU is missing among " + all);
        }
    }

    /** All devices of this process; makes a context on each CUDA device. */
    public static DeviceSizes visible() {
        List<Size> sizes = new ArrayList<>();
        for (CudaRuntime.Memory memory : CudaRuntime.devices()) {
            sizes.add(new Size(Device.cuda(memory.index()), memory.freeBytes(), memory.totalBytes()));
        }
        sizes.add(host());
        return new DeviceSizes(sizes);
    }

    /** The CPU and {@code own}; touches no other device. */
    public static DeviceSizes of(Device own) {
        if (own.type() != Device.Type.CUDA) {
            return new DeviceSizes(List.of(host()));
        }
        CudaMemory.Room room = CudaMemory.room(own);
        return new DeviceSizes(List.of(new Size(own, room.freeBytes(), room.totalBytes()), host()));
    }

    private static Size host() {
        HostMemory memory = HostMemory.ofThisMachine();
        return new Size(Device.CPU, memory.availableBytes(), memory.totalBytes());
    }

    /**
     * The same devices with a user's limits.
     *
     * @throws IllegalArgumentException if there is a limit for a device that is not visible
     */
    public DeviceSizes capped(MaxMemory max) {
        max.bytes().keySet().forEach(this::get);
        return new DeviceSizes(all.stream()
                .map(size -> new Size(
                        size.device(),
                        size.freeBytes(),
                        size.totalBytes(),
                        max.bytes().getOrDefault(size.device(), Long.MAX_VALUE)))
                .toList());
    }

    /** As {@link #capped}, with devices that are not visible taken for there and empty: for plans that are only shown. */
    public DeviceSizes assuming(MaxMemory max) {
        List<Size> sizes = new ArrayList<>(all);
        for (Map.Entry<Device, Long> entry : max.bytes().entrySet()) {
            if (find(entry.getKey()) == null) {
                sizes.add(new Size(entry.getKey(), Long.MAX_VALUE, Long.MAX_VALUE));
            }
        }
        sizes.sort((a, b) -> a.isCpu() || b.isCpu()
                ? Boolean.compare(a.isCpu(), b.isCpu())
                : Integer.compare(a.device().index(), b.device().index()));
        return new DeviceSizes(sizes).capped(max);
    }

    /**
     * One of the devices.
     *
     * @throws IllegalArgumentException if it is not visible
     */
    Size get(Device device) {
        Size size = find(device);
        if (size == null) {
            throw new IllegalArgumentException("device " + device + " does not exist; visible: "
                    + all.stream().map(s -> s.device().toString()).collect(Collectors.joining(", ")));
        }
        return size;
    }

    private @Nullable Size find(Device device) {
        return all.stream()
                .filter(size -> size.device().equals(device))
                .findFirst()
                .orElse(null);
    }

    /** All but the CPU. */
    List<Size> accelerators() {
        return all.stream().filter(size -> !size.isCpu()).toList();
    }
}
