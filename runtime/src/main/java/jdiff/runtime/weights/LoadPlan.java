package jdiff.runtime.weights;

import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import jdiff.runtime.distributed.DeviceMesh;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Scope;

/**
 * The checked first pass over one component: which bytes go where, before any of them is read. Plans of all components of a
 * model are made before the first of them is loaded.
 */
public final class LoadPlan<T> {
    private final Map<String, Parameter> parameters;
    private final Map<String, Checkpoint.Location> stored;
    private final Device device;
    private final DeviceMesh mesh;
    private final Function<Weights, T> model;

    private LoadPlan(LoadRules rules, ParameterRecorder recorder, Device device, Function<Weights, T> model) {
        this.parameters = recorder.asked();
        this.stored = recorder.stored();
        this.device = device;
        this.mesh = rules.mesh();
        this.model = model;
    }

    static <T> LoadPlan<T> of(Checkpoint checkpoint, LoadRules rules, Device device, Function<Weights, T> model)
            throws FaultException {
        var recorder = new ParameterRecorder(checkpoint, rules);
        Scope.tidy(() -> {
            T shapes = model.apply(
                    new Weights(recorder, "", rules.mesh())); // its tensors have no memory and die with this scope
            Objects.requireNonNull(shapes);
        });
        KeyReport.check(checkpoint, rules, recorder);
        return new LoadPlan<>(rules, recorder, device, model);
    }

    /**
     * Second pass: every parameter is allocated once and read in place by several threads; then the model is built on them.
     * {@code scope} owns all it makes.
     *
     * @throws FaultException IO if a file cannot be read, BAD_INPUT if it shrank; the model is not built then
     */
    public T load(Scope scope) throws FaultException {
        return load(scope, RangeReader.automatic(), RangeReader.RANGE_BYTES);
    }

    T load(Scope scope, int readers, long rangeBytes) throws FaultException {
        try (var loaded = new LoadedParameters(parameters, stored.keySet(), device)) {
            RangeReader.read(loaded.destinations(), readers, rangeBytes);
            return scope.hold(() -> model.apply(new Weights(loaded, "", mesh)));
        }
    }
}
