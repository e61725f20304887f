package jdiff.runtime.weights;

import jdiff.runtime.loading.ParallelLoad;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Tensor;

/** Second pass: the parameters that the first pass asked for, in memory. */
final class LoadedParameters implements ParameterSource {
    private final LoadPlan<?> plan;
    private final Placement placement;
    private final ParallelLoad load;
    private final int component;
    private final int[] usesLeft;

    LoadedParameters(LoadPlan<?> plan, Placement placement, ParallelLoad load, int component) {
        this.plan = plan;
        this.placement = placement;
        this.load = load;
        this.component = component;
        this.usesLeft = new int[plan.numTensors()];
        for (int i = 0; i < usesLeft.length; i++) {
            usesLeft[i] = plan.uses(i);
        }
    }

    @Override
    public Tensor get(String name, Shard shard, long[] shape) {
        int place = plan.place(name, shard);
        if (place < 0 || usesLeft[place] == 0) {
            throw new IllegalStateException(
                    "the model asks for " + name + " now, more often than it did in the first pass");
        }
        Tensor tensor = load.tensor(component, place);
        Tensor taken = tensor.view(tensor.shape()); // a second reference, owned by the current scope
        if (--usesLeft[place] == 0) {
            load.release(component, place);
        }
        return taken;
    }

    @Override
    public boolean has(String name) {
        return plan.isStored(name);
    }

    @Override
    public Device device(String prefix) {
        return placement.of(plan.component(), prefix);
    }
}
