package jdiff.runtime.weights;

import java.util.Map;
import java.util.function.Function;
import jdiff.runtime.distributed.Axis;
import jdiff.runtime.distributed.DeviceMesh;
import jdiff.runtime.distributed.ProcessGroup;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Tensor;

/**
 * Cursor into the weights of a component: a prefix and where parameters come from. A model's constructor asks
 * {@code w.at("blocks").at(3).at("to_q").get("weight", out, in)} for what its config says must be there.
 *
 * <p>A constructor runs twice: first on tensors without memory, so that every missing, unexpected or misshapen name is known
 * before a byte of weights is read, then on the parameters. So it must be free of side effects and may not look at values.
 */
public final class Weights {
    private final ParameterSource source;
    private final String prefix;
    private final DeviceMesh mesh;
    private final boolean shardModulation;

    private Weights(ParameterSource source, String prefix, DeviceMesh mesh, boolean shardModulation) {
        this.source = source;
        this.prefix = prefix;
        this.mesh = mesh;
        this.shardModulation = shardModulation;
    }

    static Weights of(ParameterSource source, LoadRules rules) {
        return new Weights(source, "", rules.mesh(), rules.shardModulation());
    }

    /** A cursor over given tensors, for tests of layers and models; they are cast to nothing and checked for shape. */
    public static Weights of(Map<String, Tensor> tensors) {
        return of(tensors, LoadRules.of("given", DTypeRule.AUTO));
    }

    /** As {@link #of(Map)}, for one rank of a grid; of the rules only those of sharding count. */
    public static Weights of(Map<String, Tensor> tensors, LoadRules rules) {
        return of(new GivenTensors(tensors), rules);
    }

    /**
     * First pass over a component: {@code model} is built once without memory; what it asks for is checked against {@code
     * checkpoint}. Nothing of the weights is read yet.
     *
     * @throws FaultException BAD_INPUT naming all missing keys with their nearest neighbours, all wrong shapes and all unexpected
     *     keys together
     */
    public static <T> LoadPlan<T> plan(Checkpoint checkpoint, LoadRules rules, Function<Weights, T> model)
            throws FaultException {
        return LoadPlan.of(checkpoint, rules, model);
    }

    /** The cursor one name further down. */
    public Weights at(String name) {
        return new Weights(source, prefix + name + ".", mesh, shardModulation);
    }

    /** The cursor at element {@code index} of a list of modules. */
    public Weights at(int index) {
        return at(Integer.toString(index));
    }

    /**
     * The cursor at block {@code index} of the blocks of a net, one like the other: what is below it lives together, on whatever
     * device, and {@link #device} says on which.
     */
    public Weights block(int index) {
        source.block(prefix + index);
        return at(index);
    }

    /** The parameter {@code name} here, whole; it must have {@code shape}. The current scope owns it. */
    public Tensor get(String name, long... shape) {
        return source.get(prefix + name, Shard.ALL, shape);
    }

    /** This rank's part of the parameter {@code name}, which as a whole must have {@code shape}. The current scope owns it. */
    public Tensor get(String name, Shard shard, long... shape) {
        return source.get(prefix + name, shard, shape);
    }

    /** The ranks between which a layer may share its parameters; one rank where the model is not sharded. */
    public ProcessGroup tensorParallel() {
        return mesh.group(Axis.TP);
    }

    /** Those between which modulation is shared; one rank where each keeps all of it. */
    public ProcessGroup modulationParallel() {
        return shardModulation ? tensorParallel() : DeviceMesh.single().group(Axis.TP);
    }

    /** Where the parameters below this cursor live; in the first pass {@link Device#META}. */
    public Device device() {
        return source.device(prefix.isEmpty() ? prefix : prefix.substring(0, prefix.length() - 1));
    }

    /** Whether the checkpoint has {@code name} here; only for what a config cannot say. */
    public boolean has(String name) {
        return source.has(prefix + name);
    }
}
