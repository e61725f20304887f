package jdiff.runtime.weights;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.loading.LoadMeter;
import jdiff.runtime.loading.LoadSettings;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Scope;

/**
 * The checked first pass over one component: which bytes go where, before any of them is read. Plans of all components of a
 * model are made before the first of them is loaded, and loaded together: see {@link Loading}.
 */
public final class LoadPlan<T> {
    private final LoadRules rules;
    private final Checkpoint checkpoint;
    private final List<PlannedTensor> tensors = new ArrayList<>();
    private final Map<String, Integer> places = new HashMap<>();
    private final List<Integer> uses = new ArrayList<>();
    private final List<String> blocks;
    private final Set<String> stored;
    private final List<String> notes;
    private final Function<Weights, T> model;

    private LoadPlan(
            Checkpoint checkpoint,
            LoadRules rules,
            ParameterRecorder recorder,
            List<String> notes,
            Function<Weights, T> model) {
        this.rules = rules;
        this.checkpoint = checkpoint;
        this.blocks = List.copyOf(recorder.blocks());
        this.stored = Set.copyOf(recorder.stored().keySet());
        this.notes = List.copyOf(notes);
        this.model = model;
        recorder.asked().forEach((key, asked) -> {
            places.put(key, tensors.size());
            tensors.add(asked.tensor());
            uses.add(asked.uses());
        });
    }

    static <T> LoadPlan<T> of(Checkpoint checkpoint, LoadRules rules, Function<Weights, T> model)
            throws FaultException {
        var recorder = new ParameterRecorder(checkpoint, rules);
        Scope.tidy(() -> {
            T shapes = model.apply(Weights.of(recorder, rules)); // its tensors have no memory and die with this scope
            Objects.requireNonNull(shapes);
        });
        List<String> notes = new ArrayList<>(checkpoint.notes());
        notes.addAll(KeyReport.check(checkpoint, rules, recorder));
        return new LoadPlan<>(checkpoint, rules, recorder, notes, model);
    }

    /** Name of the component in messages and placements. */
    public String component() {
        return rules.component();
    }

    /** The files it comes from. */
    public Checkpoint checkpoint() {
        return checkpoint;
    }

    /** What this rank will have, in the order in which the model asks; nothing twice. */
    public List<PlannedTensor> tensors() {
        return List.copyOf(tensors);
    }

    /** What whoever loads it should know, to be told once: the notes of its checkpoint, keys that nobody asked for. */
    public List<String> notes() {
        return notes;
    }

    /**
     * The blocks of the net in order, as the beginning of their parameters' names without the dot: {@code transformer_blocks.0}.
     * Those of one block must live together, those of no block too.
     */
    public List<String> blocks() {
        return blocks;
    }

    /** Bytes of the files that this rank reads. */
    public long fileBytes() {
        return tensors.stream().mapToLong(PlannedTensor::fileBytes).sum();
    }

    /** Bytes in this rank's memory. */
    public long memoryBytes() {
        return tensors.stream().mapToLong(PlannedTensor::memoryBytes).sum();
    }

    /** Loads this component alone onto one device; {@code scope} owns all it makes. */
    public T load(Device device, Scope scope) throws FaultException {
        try (Loading loading =
                Loading.start(List.of(this), Placement.on(device), LoadSettings.automatic(), new LoadMeter())) {
            return loading.take(this, scope);
        }
    }

    int numTensors() {
        return tensors.size();
    }

    /** Builds the model on loaded tensors. */
    T build(LoadedParameters loaded) {
        return model.apply(Weights.of(loaded, rules));
    }

    /** Position of what the model asks for now among {@link #tensors}; -1 if it did not ask in the first pass. */
    int place(String name, Shard shard) {
        return places.getOrDefault(ParameterRecorder.key(name, shard), -1);
    }

    /** How often the model asks for a tensor. */
    int uses(int place) {
        return uses.get(place);
    }

    boolean isStored(String name) {
        return stored.contains(name);
    }
}
