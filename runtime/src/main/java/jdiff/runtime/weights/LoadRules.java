package jdiff.runtime.weights;

import java.util.List;
import java.util.function.UnaryOperator;
import jdiff.runtime.distributed.DeviceMesh;

/**
 * How the weights of one component are read.
 *
 * @param component its name in messages, for instance {@code text_encoder}
 * @param dtype dtype of each parameter
 * @param alias stored name to the name that the model asks for, for names that changed over time
 * @param ignored beginnings of names (after {@code alias}) that the model leaves unread by design
 * @param strict unread keys are an error, not a warning
 * @param mesh the ranks between which layers may share their parameters
 * @param shardModulation whether modulation layers are among these, at the price of an exchange at each use
 */
public record LoadRules(
        String component,
        DTypeRule dtype,
        UnaryOperator<String> alias,
        List<String> ignored,
        boolean strict,
        DeviceMesh mesh,
        boolean shardModulation) {
    public LoadRules {
        ignored = List.copyOf(ignored);
    }

    /** Names as they are stored, nothing ignored. */
    public static LoadRules of(String component, DTypeRule dtype) {
        return new LoadRules(component, dtype, UnaryOperator.identity(), List.of(), false, DeviceMesh.single(), false);
    }

    public LoadRules withAlias(UnaryOperator<String> alias) {
        return new LoadRules(component, dtype, alias, ignored, strict, mesh, shardModulation);
    }

    public LoadRules ignoring(String... beginnings) {
        return new LoadRules(component, dtype, alias, List.of(beginnings), strict, mesh, shardModulation);
    }

    public LoadRules strictly(boolean strict) {
        return new LoadRules(component, dtype, alias, ignored, strict, mesh, shardModulation);
    }

    public LoadRules on(DeviceMesh mesh) {
        return new LoadRules(component, dtype, alias, ignored, strict, mesh, shardModulation);
    }

    public LoadRules shardingModulation(boolean shardModulation) {
        return new LoadRules(component, dtype, alias, ignored, strict, mesh, shardModulation);
    }

    boolean ignores(String name) {
        for (String beginning : ignored) {
            if (name.startsWith(beginning)) {
                return true;
            }
        }
        return false;
    }
}
