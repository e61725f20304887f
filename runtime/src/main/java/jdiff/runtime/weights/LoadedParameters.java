package jdiff.runtime.weights;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Tensor;

/** Second pass: the parameters that the first pass asked for, in memory. */
final class LoadedParameters implements ParameterSource, AutoCloseable {
    private final Map<String, Destination> destinations = new LinkedHashMap<>();
    private final Set<String> names;

    LoadedParameters(Map<String, Parameter> parameters, Set<String> names, Device device) {
        this.names = names;
        parameters.forEach((key, parameter) -> destinations.put(key, new Destination(parameter, device)));
    }

    Collection<Destination> destinations() {
        return destinations.values();
    }

    @Override
    public Tensor get(String name, Shard shard, long[] shape) {
        Destination destination = destinations.get(ParameterRecorder.key(name, shard));
        if (destination == null) {
            throw new IllegalStateException("the model asks for " + name + " now, but did not in the first pass");
        }
        return destination.take();
    }

    @Override
    public boolean has(String name) {
        return names.contains(name);
    }

    /** Frees what the model did not take. */
    @Override
    public void close() {
        destinations.values().forEach(Destination::close);
    }
}
