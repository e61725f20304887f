package jdiff.runtime.distributed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Prompts shared between replicas: each is taken exactly once, for all counts of both. */
class SharingTest {
    @Test
    void a_static_split_takes_each_prompt_once_in_order_without_padding() {
        forAllCounts((ranks, prompts) -> {
            List<List<Integer>> parts = ThreadRanks.run(ranks, world -> world.split(prompts));
            assertThat(parts.stream().flatMap(List::stream)).containsExactlyElementsOf(prompts);
            int quotient = prompts.size() / ranks;
            int remainder = prompts.size() % ranks;
            for (int g = 0; g < ranks; g++) {
                assertThat(parts.get(g)).hasSize(quotient + (g < remainder ? 1 : 0));
                if (!parts.get(g).isEmpty()) {
                    assertThat(parts.get(g).get(0)).isEqualTo(g * quotient + Math.min(g, remainder));
                }
            }
        });
    }

    @Test
    void a_dynamic_queue_hands_out_each_prompt_once() {
        forAllCounts((ranks, prompts) -> {
            List<List<Integer>> taken = ThreadRanks.run(ranks, world -> {
                DynamicQueue queue = world.queue("prompts", prompts.size());
                List<Integer> mine = new ArrayList<>();
                for (OptionalInt next = queue.next(); next.isPresent(); next = queue.next()) {
                    mine.add(next.getAsInt());
                }
                return mine;
            });
            assertThat(taken.stream().flatMap(List::stream)).containsExactlyInAnyOrderElementsOf(prompts);
        });
    }

    @Test
    void a_single_process_works_through_the_queue_alone() throws Exception {
        try (World world = World.join(Map.of("JDIFF_DEVICE", "cpu"))) {
            DynamicQueue queue = world.queue("prompts", 2);
            assertThat(queue.next()).hasValue(0);
            assertThat(queue.next()).hasValue(1);
            assertThat(queue.next()).isEmpty();
            assertThat(world.split(List.of("a", "b"))).containsExactly("a", "b");
            world.barrier();
        }
    }

    private interface Case {
        void check(int ranks, List<Integer> prompts);
    }

    private static void forAllCounts(Case test) {
        for (int ranks = 1; ranks <= 4; ranks++) {
            for (int prompts = 1; prompts <= 9; prompts++) {
                test.check(ranks, IntStream.range(0, prompts).boxed().toList());
            }
        }
    }
}
