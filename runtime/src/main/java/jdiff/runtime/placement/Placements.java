package jdiff.runtime.placement;

import java.util.List;
import jdiff.runtime.config.Shown;
import jdiff.runtime.distributed.ParallelDims;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.weights.LoadPlan;

/** From what a user wants and what there is to where everything goes. */
public final class Placements {
    private Placements() {}

    /**
     * Places all components of a model. Nothing is allocated.
     *
     * @param own this process's device
     * @throws IllegalArgumentException if the map names what is not there, leaves something out, or tears apart what must be
     *     together
     */
    public static PlacementPlan plan(
            DeviceMap map, List<? extends LoadPlan<?>> components, DeviceSizes sizes, Device own) {
        List<Parts> parts = components.stream().map(Parts::of).toList();
        if (map instanceof DeviceMap.Balanced) {
            return BalancedPlan.of(parts, sizes);
        }
        if (map instanceof DeviceMap.Explicit explicit) {
            return ExplicitPlan.of(explicit, components, sizes);
        }
        Device device;
        if (map instanceof DeviceMap.Single single) {
            device = single.device();
        } else {
            Device.Type type = ((DeviceMap.Own) map).type();
            device = type == Device.Type.CPU ? Device.CPU : own.type() == type ? own : Device.cuda(0);
        }
        sizes.get(device);
        var plan = new PlacementPlan.Builder();
        parts.forEach(component -> plan.whole(component, device, "device map " + map.text()));
        return plan.build(parts);
    }

    /**
     * Refuses what would let several processes take the same devices, or parts of one rank sit where its peers' do not.
     *
     * @param dims of the job
     * @param localWorldSize processes on this node
     * @throws IllegalArgumentException if {@code map} needs a process for itself and does not have one
     */
    public static void requireOneProcess(DeviceMap map, ParallelDims dims, int localWorldSize) {
        if (!map.needsOneProcess()) {
            return;
        }
        refuse(map, "cfg", dims.cfg());
        refuse(map, "ring", dims.ring());
        refuse(map, "ulysses", dims.ulysses());
        refuse(map, "tp", dims.tp());
        refuse(map, "dp", localWorldSize > 1 ? Math.max(dims.dp(), localWorldSize) : 1);
    }

    private static void refuse(DeviceMap map, String axis, int degree) {
        if (degree > 1) {
            throw new IllegalArgumentException("device map " + Shown.cut(map.text(), 200)
                    + " places one process on several devices and cannot be combined with " + axis + " degree " + degree
                    + "; use \"cuda\" with a grid, or one process with \"balanced\"");
        }
    }
}
