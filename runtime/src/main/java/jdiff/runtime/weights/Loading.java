package jdiff.runtime.weights;

import java.util.List;
import java.util.Map;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.loading.LoadMeter;
import jdiff.runtime.loading.LoadSettings;
import jdiff.runtime.loading.ParallelLoad;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Scope;

/**
 * Second pass over the plans of several components: one pool of readers for all, in the order in which they are given. A
 * component can be built and used while later ones are still being read.
 */
public final class Loading implements AutoCloseable {
    private final List<LoadPlan<?>> plans;
    private final Placement placement;
    private final ParallelLoad load;

    private Loading(List<LoadPlan<?>> plans, Placement placement, ParallelLoad load) {
        this.plans = plans;
        this.placement = placement;
        this.load = load;
    }

    /**
     * Allocates all parameters and starts to read them.
     *
     * @param plans in the order in which they will be needed
     * @param meter counts the bytes
     * @throws FaultException IO if a file cannot be mapped
     */
    public static Loading start(
            List<? extends LoadPlan<?>> plans, Placement placement, LoadSettings settings, LoadMeter meter)
            throws FaultException {
        return new Loading(
                List.copyOf(plans), placement, ParallelLoad.start(components(plans, placement), settings, meter));
    }

    /** Bytes that {@link #start} would allocate on each device, without what is mapped. */
    public static Map<Device, Long> allocatedBytes(
            List<? extends LoadPlan<?>> plans, Placement placement, LoadSettings settings) {
        return ParallelLoad.allocatedBytes(components(plans, placement), settings);
    }

    private static List<ParallelLoad.Component> components(List<? extends LoadPlan<?>> plans, Placement placement) {
        return plans.stream()
                .map(plan -> new ParallelLoad.Component(
                        plan.component(),
                        plan.tensors().stream()
                                .map(tensor -> tensor.to(placement.of(plan.component(), tensor.name())))
                                .toList()))
                .toList();
    }

    /**
     * Waits for a component and builds it; once for each plan. {@code scope} owns all it makes.
     *
     * @throws FaultException IO if a file cannot be read, BAD_INPUT if it shrank; the component is not built then
     */
    public <T> T take(LoadPlan<T> plan, Scope scope) throws FaultException {
        int component = plans.indexOf(plan);
        load.await(component);
        LoadedParameters loaded = new LoadedParameters(plan, placement, load, component);
        return scope.hold(() -> plan.build(loaded));
    }

    /** Stops what is still being read, and frees what was not taken. */
    @Override
    public void close() throws FaultException {
        load.close();
    }
}
