package jdiff.runtime.placement;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.loading.LoadSettings;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.weights.LoadPlan;
import jdiff.runtime.weights.Loading;
import jdiff.runtime.weights.PlannedTensor;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Compares what a load will allocate with the memory that there is, before a byte is read, and refuses what cannot work. It does
 * not refuse what might:
 *
 * <ul>
 *   <li>Only weights are counted, since how much a picture needs besides depends on its size.
 *   <li>Weights that are mapped (on the CPU, in their stored dtype) are pages of a file, which the system drops and reads again
 *       when it must: they count for nothing, except against a limit that the user sets. More of them than memory is slow, which
 *       is said.
 *   <li>Of several processes of a node some may have loaded already when this one looks, so that what is free is what they have
 *       left: it must be enough for this process. What all of them need is held against all that the node has.
 * </ul>
 */
public final class MemoryCheck {
    private static final Logger LOG = LogManager.getLogger();

    private final DeviceMap map;
    private final PlacementPlan placement;
    private final DeviceSizes sizes;
    private final LoadSettings settings;

    public MemoryCheck(DeviceMap map, PlacementPlan placement, DeviceSizes sizes, LoadSettings settings) {
        this.map = map;
        this.placement = placement;
        this.sizes = sizes;
        this.settings = settings;
    }

    /**
     * Refuses a load that cannot fit.
     *
     * @param phases components that are in memory together; those of one phase are freed before the next
     * @param canFree whether fewer could be in memory together, if only the user asked for it
     * @throws FaultException CONFIG saying what is needed, what there is, where, and which options help
     */
    public void require(List<? extends List<? extends LoadPlan<?>>> phases, boolean canFree) throws FaultException {
        for (List<? extends LoadPlan<?>> together : phases) {
            Map<Device, Long> allocated = Loading.allocatedBytes(together, placement, settings);
            Map<Device, Long> all = bytes(together);
            for (Map.Entry<Device, Long> entry : all.entrySet()) {
                DeviceSizes.Size size = sizes.get(entry.getKey());
                if (entry.getValue() > size.maxBytes()) {
                    throw refusal(
                            "needs " + ByteSize.shown(entry.getValue()),
                            size.maxBytes(),
                            size.device() + " by --max-memory",
                            help(size, together, canFree));
                }
                require(size, allocated.getOrDefault(size.device(), 0L), help(size, together, canFree));
            }
            warnOfPaging(allocated.getOrDefault(Device.CPU, 0L), all.getOrDefault(Device.CPU, 0L));
        }
        if (phases.size() > 1) {
            List<LoadPlan<?>> everything = new ArrayList<>();
            phases.forEach(everything::addAll);
            Loading.allocatedBytes(everything, placement, settings).forEach((device, bytes) -> {
                long free = sizes.get(device).freeBytes();
                if (bytes > free) {
                    LOG.warn(
                            "{} of {} are free: enough for one prompt, but each further one needs {}",
                            ByteSize.shown(free),
                            device,
                            ByteSize.shown(bytes));
                }
            });
        }
    }

    /** Bytes of weights on each device. */
    private Map<Device, Long> bytes(List<? extends LoadPlan<?>> together) {
        Map<Device, Long> bytes = new LinkedHashMap<>();
        for (LoadPlan<?> plan : together) {
            for (PlannedTensor tensor : plan.tensors()) {
                bytes.merge(placement.of(plan.component(), tensor.name()), tensor.memoryBytes(), Long::sum);
            }
        }
        return bytes;
    }

    private void require(DeviceSizes.Size size, long needs, List<String> help) throws FaultException {
        long has = size.freeBytes();
        String where = size.device().toString();
        if (needs > has) {
            throw refusal("needs " + ByteSize.shown(needs), has, where, help);
        }
        int processes = settings.localWorldSize();
        if (!size.isCpu() || processes == 1) {
            return;
        }
        if (needs > size.totalBytes() / processes) {
            throw refusal(
                    processes + " processes of " + ByteSize.shown(needs) + ": needs "
                            + ByteSize.shown(needs * processes),
                    size.totalBytes(),
                    where,
                    help);
        }
        if (needs > has / processes) {
            LOG.warn(
                    "{} processes need {} each, and {} are free on {}",
                    processes,
                    ByteSize.shown(needs),
                    ByteSize.shown(has),
                    size.device());
        }
    }

    private static FaultException refusal(String needs, long has, String where, List<String> help) {
        return new FaultException(
                Fault.CONFIG,
                needs + ", has " + ByteSize.shown(has) + " on " + where
                        + (help.isEmpty() ? "" : "; what helps: " + String.join(", ", help)));
    }

    private List<String> help(DeviceSizes.Size size, List<? extends LoadPlan<?>> together, boolean canFree) {
        Set<String> help = new LinkedHashSet<>();
        for (LoadPlan<?> plan : together) {
            for (PlannedTensor tensor : plan.tensors()) {
                if (!placement.of(plan.component(), tensor.name()).equals(size.device())) {
                    continue;
                }
                if (size.isCpu() && tensor.dtype() != tensor.entry().type().dtype()) {
                    help.add("--dtype auto (weights as stored are mapped, not copied)");
                } else if (!size.isCpu() && tensor.dtype() == DType.F32) {
                    help.add("--dtype bfloat16");
                }
            }
        }
        if (!(map instanceof DeviceMap.Balanced) && sizes.all().size() > 1) {
            help.add("--device-map balanced");
        }
        if (canFree) {
            help.add("--free-text-encoder");
        }
        if (settings.localWorldSize() > 1) {
            help.add("fewer workers");
        }
        return new ArrayList<>(help);
    }

    /** Mapped files are shared by the processes of a node. */
    private void warnOfPaging(long allocated, long all) {
        long mapped = all - allocated;
        long left = sizes.get(Device.CPU).freeBytes() - allocated;
        if (mapped > left) {
            LOG.warn(
                    "{} of mapped weights in {} of memory: they will be read from disk again and again",
                    ByteSize.shown(mapped),
                    ByteSize.shown(Math.max(0, left)));
        }
    }
}
