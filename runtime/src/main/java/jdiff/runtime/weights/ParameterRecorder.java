package jdiff.runtime.weights;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jdiff.runtime.config.Shown;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.safetensors.TensorEntry;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** First pass: answers with tensors without memory, and remembers what was asked for and what is wrong with it. */
final class ParameterRecorder implements ParameterSource {
    private final LoadRules rules;
    private final Map<String, Checkpoint.Location> stored;
    private final Map<String, Asked> asked = new LinkedHashMap<>();
    private final Map<String, String> missing = new LinkedHashMap<>();
    private final List<String> wrong = new ArrayList<>();
    private final Set<String> mentioned = new HashSet<>();
    private final Set<String> blocks = new LinkedHashSet<>();

    /**
     * One parameter.
     *
     * @param uses how often the model asks for it; after the last time only the model holds it
     */
    record Asked(PlannedTensor tensor, int uses) {}

    ParameterRecorder(Checkpoint checkpoint, LoadRules rules) throws FaultException {
        this.rules = rules;
        this.stored = new LinkedHashMap<>();
        for (Map.Entry<String, Checkpoint.Location> tensor :
                checkpoint.tensors().entrySet()) {
            String name = rules.alias().apply(tensor.getKey());
            Checkpoint.Location before = stored.put(name, tensor.getValue());
            if (before != null) {
                throw new FaultException(
                        Fault.BAD_INPUT,
                        rules.component() + ": tensors "
                                + Shown.cut(before.entry().name(), 200) + " and " + Shown.cut(tensor.getKey(), 200)
                                + " are both " + Shown.cut(name, 200) + " of the model");
            }
        }
    }

    @Override
    public Tensor get(String name, Shard shard, long[] shape) {
        long[] part = shard.of(name, shape);
        DType dtype = record(name, shard, shape);
        return Tensor.meta(dtype == null ? DType.F32 : dtype, part);
    }

    @Override
    public boolean has(String name) {
        return stored.containsKey(name);
    }

    @Override
    public void block(String prefix) {
        blocks.add(prefix);
    }

    @Override
    public Device device(String prefix) {
        return Device.META;
    }

    /** The tensors of the checkpoint under the model's names. */
    Map<String, Checkpoint.Location> stored() {
        return stored;
    }

    /** What was asked for and is there, by {@link #key}. */
    Map<String, Asked> asked() {
        return asked;
    }

    /** The blocks of the model by their beginnings, in order. */
    Set<String> blocks() {
        return blocks;
    }

    /** Names that are in no file, with the shape that was asked for. */
    Map<String, String> missing() {
        return missing;
    }

    /** Sentences on tensors that are there but do not fit. */
    Collection<String> wrong() {
        return wrong;
    }

    /** Whether the model asked for it, fitting or not. */
    boolean wasAsked(String name) {
        return mentioned.contains(name);
    }

    static String key(String name, Shard shard) {
        return shard.isAll() ? name : name + " " + shard.key();
    }

    private @Nullable DType record(String name, Shard shard, long[] shape) {
        Checkpoint.Location location = stored.get(name);
        if (location == null) {
            missing.put(name, Arrays.toString(shape));
            return null;
        }
        mentioned.add(name);
        TensorEntry entry = location.entry();
        Asked known = asked.get(key(name, shard));
        if (known != null && entry.hasShape(shape)) {
            asked.put(key(name, shard), new Asked(known.tensor(), known.uses() + 1));
            return known.tensor().dtype();
        }
        if (!entry.hasShape(shape)) {
            wrong.add(name + " has the shape " + Arrays.toString(entry.shape()) + " in "
                    + location.file().path() + ", config.json makes it " + Arrays.toString(shape));
            return null;
        }
        DType dtype = rules.dtype().of(name, entry.type());
        if (dtype == null) {
            wrong.add(rules.dtype().refusal(name, entry.type()) + " ("
                    + location.file().path() + ")");
            return null;
        }
        asked.put(key(name, shard), new Asked(new PlannedTensor(name, location.file(), entry, shard, dtype), 1));
        return dtype;
    }
}
