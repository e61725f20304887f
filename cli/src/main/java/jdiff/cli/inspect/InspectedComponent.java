package jdiff.cli.inspect;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import jdiff.runtime.weights.LoadPlan;
import jdiff.runtime.weights.PlannedTensor;
import jdiff.runtime.weights.WeightSurvey;
import org.jspecify.annotations.Nullable;

/**
 * One part of a model.
 *
 * @param library that its class belongs to; null if not known
 * @param className null if not known
 * @param weights null for one without: a scheduler, a tokenizer
 * @param plan what would be loaded; null if that cannot be told
 */
record InspectedComponent(
        String name,
        @Nullable String library,
        @Nullable String className,
        @Nullable WeightSurvey weights,
        @Nullable Plan plan) {
    /**
     * What would be loaded.
     *
     * @param whole by one rank alone
     * @param byTp by each tensor-parallel rank
     */
    record Plan(LoadPlan<?> whole, List<LoadPlan<?>> byTp) {
        Plan {
            byTp = List.copyOf(byTp);
        }

        /** What is loaded of the stored tensors, by their stored names, for each tensor-parallel rank. */
        List<Map<String, PlannedTensor>> byStoredName() {
            return byTp.stream().map(Plan::byStoredName).toList();
        }

        private static Map<String, PlannedTensor> byStoredName(LoadPlan<?> plan) {
            return plan.tensors().stream()
                    .collect(Collectors.toMap(
                            tensor -> tensor.entry().name(), Function.identity(), (first, second) -> first));
        }
    }
}
