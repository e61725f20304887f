package jdiff.cli.inspect;

import java.util.Map;
import java.util.TreeMap;
import jdiff.runtime.weights.Checkpoint;
import jdiff.runtime.weights.LoadPlan;
import jdiff.runtime.weights.PlannedTensor;

/** Counts tensors, their elements and bytes, in all and by dtype. */
final class Tally {
    /** Counted so far. */
    record Count(long tensors, long elements, long bytes) {
        private static final Count NONE = new Count(0, 0, 0);

        private Count and(long moreElements, long moreBytes) {
            return new Count(tensors + 1, elements + moreElements, bytes + moreBytes);
        }
    }

    private final Map<String, Count> byDtype = new TreeMap<>();
    private Count all = Count.NONE;

    /** Of tensors as they are stored. */
    static Tally stored(Iterable<Checkpoint.Location> tensors) {
        Tally tally = new Tally();
        for (Checkpoint.Location tensor : tensors) {
            tally.add(
                    tensor.entry().type().name(),
                    tensor.entry().numel(),
                    tensor.entry().bytes());
        }
        return tally;
    }

    /** Of what a rank holds. */
    static Tally inMemory(LoadPlan<?> plan) {
        Tally tally = new Tally();
        for (PlannedTensor tensor : plan.tensors()) {
            long bytes = tensor.memoryBytes();
            tally.add(tensor.dtype().toString(), bytes / tensor.dtype().sizeBytes(), bytes);
        }
        return tally;
    }

    private void add(String dtype, long elements, long bytes) {
        all = all.and(elements, bytes);
        byDtype.merge(dtype, Count.NONE.and(elements, bytes), (a, b) -> a.and(elements, bytes));
    }

    Count all() {
        return all;
    }

    /** By the name of the dtype. */
    Map<String, Count> byDtype() {
        return byDtype;
    }
}
