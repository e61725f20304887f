package jdiff.runtime.placement;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import jdiff.runtime.config.Nearest;
import jdiff.runtime.config.Shown;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.weights.LoadPlan;
import jdiff.runtime.weights.PlannedTensor;
import org.jspecify.annotations.Nullable;

/** Places every parameter by the longest key of a map that is its name or the name of a module around it. */
final class ExplicitPlan {
    private static final int SHOWN = 5;
    private static final int NEAREST = 3;

    private final Map<String, Device> map;
    private final PlacementPlan.Builder plan = new PlacementPlan.Builder();
    private final List<String> homeless = new ArrayList<>();

    /** The first parameter of what must stay together, and the key that placed it. */
    private record Placed(String parameter, String key, Device device) {}

    private ExplicitPlan(Map<String, Device> map) {
        this.map = map;
    }

    static PlacementPlan of(DeviceMap.Explicit map, List<? extends LoadPlan<?>> components, DeviceSizes sizes) {
        requireKeys(map.devices().keySet(), components);
        map.devices().values().forEach(sizes::get);
        ExplicitPlan explicit = new ExplicitPlan(map.devices());
        components.forEach(explicit::place);
        if (!explicit.homeless.isEmpty()) {
            throw new IllegalArgumentException(explicit.homeless.size() + " parameters have no device: "
                    + explicit.homeless.stream().limit(SHOWN).collect(Collectors.joining(", ")));
        }
        return explicit.plan.build(components.stream().map(Parts::of).toList());
    }

    private void place(LoadPlan<?> component) {
        Set<String> blocks = new HashSet<>(component.blocks());
        Map<String, Placed> ofBlock = new HashMap<>();
        Placed rest = null;
        for (PlannedTensor tensor : component.tensors()) {
            String name = component.component() + "." + tensor.name();
            String key = key(name);
            if (key == null) {
                homeless.add(name);
                continue;
            }
            Placed placed = new Placed(name, key, Objects.requireNonNull(map.get(key)));
            String block = Parts.blockOf(blocks, tensor.name());
            Placed before = block == null ? rest : ofBlock.get(block);
            if (before != null && !before.device().equals(placed.device())) {
                throw apart(component, block, before, placed);
            }
            if (block == null) {
                rest = before == null ? placed : before;
            } else {
                ofBlock.putIfAbsent(block, placed);
            }
        }
        if (homeless.isEmpty()) {
            add(Parts.of(component), rest, ofBlock);
        }
    }

    private void add(Parts parts, @Nullable Placed rest, Map<String, Placed> ofBlock) {
        List<Placed> blocks = new ArrayList<>();
        for (Parts.Block block : parts.blocks()) {
            Placed placed = ofBlock.get(block.name());
            if (placed != null) { // a block may have no parameters
                blocks.add(placed);
            }
        }
        Placed home = rest != null ? rest : blocks.isEmpty() ? null : blocks.get(0);
        if (home == null) {
            plan.whole(parts, Device.CPU, "without parameters");
        } else if (blocks.size() < parts.blocks().size()
                || blocks.stream().allMatch(block -> block.device().equals(home.device()))) {
            plan.whole(parts, home.device(), reason(home));
        } else {
            plan.cut(
                    parts,
                    home.device(),
                    reason(home),
                    blocks.stream().map(Placed::device).toList(),
                    blocks.stream().map(ExplicitPlan::reason).toList());
        }
    }

    private static String reason(Placed placed) {
        return "key \"" + placed.key() + "\"";
    }

    private @Nullable String key(String name) {
        String prefix = name;
        while (!map.containsKey(prefix)) {
            if (prefix.isEmpty()) {
                return null;
            }
            prefix = prefix.substring(0, Math.max(0, prefix.lastIndexOf('.')));
        }
        return prefix;
    }

    private static IllegalArgumentException apart(
            LoadPlan<?> component, @Nullable String block, Placed one, Placed other) {
        String what = block == null
                ? "what is in no block of " + component.component()
                : "the block " + component.component() + "." + block;
        String blocks = component.blocks().isEmpty()
                ? component.component() + " has no blocks to be cut between"
                : "keys inside a component may name blocks, as in " + component.component() + "."
                        + component.blocks().get(0);
        return new IllegalArgumentException("device map places " + one.parameter() + " on " + one.device() + " and "
                + other.parameter() + " on " + other.device() + ", but " + what + " must stay together; " + blocks);
    }

    private static void requireKeys(Set<String> keys, List<? extends LoadPlan<?>> components) {
        Set<String> names = new LinkedHashSet<>();
        names.add("");
        for (LoadPlan<?> component : components) {
            names.add(component.component());
            for (PlannedTensor tensor : component.tensors()) {
                String name = component.component() + "." + tensor.name();
                for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
                    names.add(name.substring(0, dot));
                }
                names.add(name);
            }
        }
        for (String key : keys) {
            if (!names.contains(key)) {
                names.remove("");
                throw new IllegalArgumentException("device map key \"" + Shown.cut(key, 200)
                        + "\" matches nothing; nearest: " + String.join(", ", Nearest.of(key, names, NEAREST)));
            }
        }
    }
}
