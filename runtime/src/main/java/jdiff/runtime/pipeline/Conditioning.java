package jdiff.runtime.pipeline;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.tensor.TensorGroup;
import org.jspecify.annotations.Nullable;

/**
 * Encoded prompts of a batch.
 *
 * @param states [B, S, C], shorter prompts filled up with zeros
 * @param mask bool [B, S], true = a real token; none if all are
 */
public record Conditioning(Tensor states, @Nullable Tensor mask) implements TensorGroup {
    /** Prompts encoded one by one, each [1, S_i, C]. */
    public static Conditioning ofBatch(List<Tensor> prompts) {
        long longest = prompts.stream().mapToLong(p -> p.size(1)).max().orElseThrow();
        if (prompts.stream().allMatch(p -> p.size(1) == longest)) {
            return new Conditioning(Tensor.cat(prompts, 0), null);
        }
        List<Tensor> rows = new ArrayList<>();
        List<Tensor> masks = new ArrayList<>();
        for (Tensor prompt : prompts) {
            long length = prompt.size(1);
            Tensor padding = Tensor.zeros(prompt.dtype(), prompt.device(), 1, longest - length, prompt.size(2));
            rows.add(Tensor.cat(List.of(prompt, padding), 1));
            Tensor mask = Tensor.zeros(DType.BOOL, prompt.device(), 1, longest);
            mask.narrow(1, 0, length).copy_(Tensor.full(1, DType.BOOL, prompt.device(), 1, length));
            masks.add(mask);
        }
        return new Conditioning(Tensor.cat(rows, 0), Tensor.cat(masks, 0));
    }

    /** Each prompt {@code times} times in a row. */
    Conditioning repeat(int times) {
        if (times == 1) {
            return this;
        }
        return new Conditioning(
                states.repeatInterleave(0, times), mask == null ? null : mask.repeatInterleave(0, times));
    }

    @Override
    public void forEachTensor(Consumer<Tensor> action) {
        action.accept(states);
        if (mask != null) {
            action.accept(mask);
        }
    }
}
