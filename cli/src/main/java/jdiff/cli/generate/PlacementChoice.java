package jdiff.cli.generate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdiff.runtime.distributed.CudaRuntime;
import jdiff.runtime.distributed.ParallelDims;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.loading.LoadSettings;
import jdiff.runtime.pipeline.ModelPlan;
import jdiff.runtime.placement.DeviceMap;
import jdiff.runtime.placement.DeviceSizes;
import jdiff.runtime.placement.MaxMemory;
import jdiff.runtime.placement.MemoryCheck;
import jdiff.runtime.placement.PlacementPlan;
import jdiff.runtime.placement.Placements;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.weights.LoadPlan;
import org.jspecify.annotations.Nullable;

/**
 * Where the user wants the model.
 *
 * @param map null: all on this process's device
 */
record PlacementChoice(@Nullable DeviceMap map, MaxMemory max, boolean freeTextEncoder) {
    private static final String DEVICE = "JDIFF_DEVICE";
    private static final String CPU = "cpu";

    /**
     * The environment in which a rank with this map joins its job: the map says for which device if JDIFF_DEVICE does not.
     *
     * @throws IllegalArgumentException if the map wants GPUs and JDIFF_DEVICE forbids them
     */
    Map<String, String> environment(Map<String, String> environment) {
        Map<String, String> changed = new HashMap<>(environment);
        if (map instanceof DeviceMap.Own own) {
            changed.put(DEVICE, own.text());
        }
        if (map != null && isCpuOnly(environment) && wantsGpu()) {
            throw new IllegalArgumentException(
                    "--device-map " + map.text() + " contradicts --device cpu (JDIFF_DEVICE); leave one of them away");
        }
        return changed;
    }

    private boolean wantsGpu() {
        if (map instanceof DeviceMap.Explicit explicit) {
            return explicit.devices().values().stream().anyMatch(device -> device.type() == Device.Type.CUDA);
        }
        return map instanceof DeviceMap.Single || DeviceMap.CUDA.equals(map);
    }

    private static boolean isCpuOnly(Map<String, String> environment) {
        return environment.getOrDefault(DEVICE, "").equals(CPU);
    }

    /**
     * Refuses a map that several processes of a node cannot share.
     *
     * @throws IllegalArgumentException if there are several, and it is one
     */
    void requireOneProcess(LoadSettings settings) {
        if (map != null) {
            Placements.requireOneProcess(map, ParallelDims.ONE, settings.localWorldSize());
        }
    }

    /** The device that a process alone would have. */
    Device ownDevice(Map<String, String> environment) {
        return isCpuOnly(environment) || DeviceMap.CPU.equals(map) || CudaRuntime.deviceCount() == 0
                ? Device.CPU
                : Device.cuda(0);
    }

    /** The devices that the map can mean; no other is touched. */
    DeviceSizes sizes(Device own, Map<String, String> environment) {
        if (map == null || !map.needsOneProcess()) {
            return DeviceSizes.of(own);
        }
        if (map instanceof DeviceMap.Single single && single.device().index() < CudaRuntime.deviceCount()) {
            return DeviceSizes.of(single.device());
        }
        return isCpuOnly(environment) ? DeviceSizes.of(Device.CPU) : DeviceSizes.visible();
    }

    /** The map, or the one that is meant if there is none. */
    DeviceMap mapFor(Device own) {
        if (map != null) {
            return map;
        }
        return own.type() == Device.Type.CUDA ? DeviceMap.CUDA : DeviceMap.CPU;
    }

    /**
     * Places a model.
     *
     * @throws IllegalArgumentException if the map does not fit the model or the devices
     */
    PlacementPlan place(ModelPlan model, DeviceSizes sizes, Device own) {
        return Placements.plan(mapFor(own), plans(model.components()), sizes, own);
    }

    /**
     * Refuses what cannot fit.
     *
     * @throws FaultException CONFIG saying what is missing and what helps
     */
    void requireMemory(ModelPlan model, PlacementPlan placement, DeviceSizes sizes, Device own, LoadSettings settings)
            throws FaultException {
        new MemoryCheck(mapFor(own), placement, sizes, settings)
                .require(
                        model.phases(freeTextEncoder).stream()
                                .map(PlacementChoice::plans)
                                .toList(),
                        !freeTextEncoder && model.phases(true).size() > 1);
    }

    private static List<? extends LoadPlan<?>> plans(List<ModelPlan.Component> components) {
        return components.stream().map(ModelPlan.Component::weights).toList();
    }
}
