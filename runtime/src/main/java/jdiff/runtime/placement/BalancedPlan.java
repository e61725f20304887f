package jdiff.runtime.placement;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import jdiff.runtime.tensor.Device;
import org.jspecify.annotations.Nullable;

/**
 * Spreads components over devices by their room: the largest first, each onto the device with most room left. One that fits none
 * is cut between its blocks. What then is left over goes to the CPU.
 */
final class BalancedPlan {
    private static final Comparator<Parts> LARGEST_FIRST =
            Comparator.comparingLong(Parts::bytes).reversed();

    private final PlacementPlan.Builder plan = new PlacementPlan.Builder();
    private final List<Device> accelerators;
    private final Map<Device, Long> room = new HashMap<>();

    private BalancedPlan(DeviceSizes sizes) {
        this.accelerators =
                sizes.accelerators().stream().map(DeviceSizes.Size::device).toList();
        sizes.accelerators().forEach(size -> room.put(size.device(), size.room()));
    }

    static PlacementPlan of(List<Parts> components, DeviceSizes sizes) {
        BalancedPlan balanced = new BalancedPlan(sizes);
        components.stream().sorted(LARGEST_FIRST).forEach(balanced::place);
        return balanced.plan.build(components);
    }

    private void place(Parts parts) {
        Device best = roomiest(parts.bytes());
        if (best != null) {
            plan.whole(parts, best, "most room, " + ByteSize.shown(room(best)));
            take(best, parts.bytes());
        } else if (parts.blocks().isEmpty() || roomiest(firstBytes(parts)) == null) {
            plan.whole(parts, Device.CPU, accelerators.isEmpty() ? "the only device" : "no device has room");
            warnOfCpu(parts.component(), parts.bytes());
        } else {
            cut(parts);
        }
    }

    /** What has to be on the first device of a component that is cut. */
    private static long firstBytes(Parts parts) {
        return parts.restBytes() + parts.blocks().get(0).bytes();
    }

    private void cut(Parts parts) {
        List<Device> order = new ArrayList<>(accelerators);
        order.sort(Comparator.comparingLong(this::room).reversed()); // stable: equal ones stay in order
        order.add(Device.CPU);
        Device first = order.get(0);
        String reason = "cut: no device has room for all " + ByteSize.shown(parts.bytes());
        take(first, parts.restBytes());
        List<Device> devices = new ArrayList<>();
        int at = 0;
        int firstLeft = parts.blocks().size();
        for (int i = 0; i < parts.blocks().size(); i++) {
            long bytes = parts.blocks().get(i).bytes();
            while (!order.get(at).equals(Device.CPU) && room(order.get(at)) < bytes) {
                at++;
            }
            Device device = order.get(at);
            if (device.equals(Device.CPU)) {
                firstLeft = Math.min(firstLeft, i);
            } else {
                take(device, bytes);
            }
            devices.add(device);
        }
        plan.cut(
                parts,
                first,
                reason,
                devices,
                devices.stream().map(device -> reason).toList());
        if (firstLeft < parts.blocks().size()) {
            warnOfCpu(
                    parts.component() + " "
                            + PlacementPlan.range(
                                    parts, firstLeft, parts.blocks().size() - 1),
                    parts.blocks().subList(firstLeft, parts.blocks().size()).stream()
                            .mapToLong(Parts.Block::bytes)
                            .sum());
        }
    }

    private void warnOfCpu(String what, long bytes) {
        if (!accelerators.isEmpty()) {
            plan.warn("no device has room for the " + ByteSize.shown(bytes) + " of " + what
                    + ": the CPU computes it, which is slow");
        }
    }

    /** The device with most room, if that is enough. */
    private @Nullable Device roomiest(long bytes) {
        Device best = null;
        for (Device device : accelerators) {
            if (best == null || room(device) > room(best)) {
                best = device;
            }
        }
        return best == null || room(best) < bytes ? null : best;
    }

    private long room(Device device) {
        return Objects.requireNonNull(room.get(device));
    }

    private void take(Device device, long bytes) {
        room.merge(device, -bytes, Long::sum);
    }
}
