package jdiff.runtime.placement;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jdiff.runtime.weights.LoadPlan;
import jdiff.runtime.weights.PlannedTensor;
import org.jspecify.annotations.Nullable;

/**
 * A component as far as it can be cut: its blocks, and the rest, which stays together.
 *
 * @param restBytes of the parameters in no block
 */
record Parts(String component, long restBytes, List<Block> blocks) {
    /**
     * One block.
     *
     * @param name in the component, for instance {@code transformer_blocks.3}
     */
    record Block(String name, long bytes) {}

    Parts {
        blocks = List.copyOf(blocks);
    }

    static Parts of(LoadPlan<?> plan) {
        Map<String, Long> blocks = new LinkedHashMap<>();
        plan.blocks().forEach(block -> blocks.put(block, 0L));
        long rest = 0;
        for (PlannedTensor tensor : plan.tensors()) {
            String block = blockOf(blocks.keySet(), tensor.name());
            if (block == null) {
                rest += tensor.memoryBytes();
            } else {
                blocks.merge(block, tensor.memoryBytes(), Long::sum);
            }
        }
        List<Block> list = new ArrayList<>();
        blocks.forEach((name, bytes) -> list.add(new Block(name, bytes)));
        return new Parts(plan.component(), rest, list);
    }

    long bytes() {
        return restBytes + blocks.stream().mapToLong(Block::bytes).sum();
    }

    /** The block that a parameter or module is in, or is; null if none. */
    static @Nullable String blockOf(Set<String> blocks, String name) {
        for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
            if (blocks.contains(name.substring(0, dot))) {
                return name.substring(0, dot);
            }
        }
        return blocks.contains(name) ? name : null;
    }
}
