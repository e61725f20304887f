package jdiff.runtime.model.autoencoder;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import jdiff.runtime.nn.Clip;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.tensor.TensorGroup;
import org.jspecify.annotations.Nullable;

/** Runs a causal network over a video piece by piece, so that its memory does not grow with the length of the video. */
final class Chunks {
    /** Results so far, and the last clip with what the layers remember; none before the first chunk. */
    private record Progress(List<Tensor> done, @Nullable Clip latest) implements TensorGroup {
        @Override
        public void forEachTensor(Consumer<Tensor> action) {
            done.forEach(action);
            if (latest != null) {
                latest.forEachTensor(action);
            }
        }
    }

    private Chunks() {}

    /**
     * @param x [B, T, H, W, C]
     * @param first frames of the first chunk
     * @param others frames of each further chunk; the last one may be shorter
     */
    static Tensor run(CausalBlock network, Tensor x, long first, long others) {
        long total = x.size(1);
        if (total <= first) {
            return Scope.tidy(() -> network.forward(Clip.whole(x)).frames());
        }
        List<Long> starts = new ArrayList<>();
        starts.add(0L);
        for (long start = first; start < total; start += others) {
            starts.add(start);
        }
        return Scope.tidy(() -> Tensor.cat(
                Scope.fold(new Progress(List.of(), null), starts, (progress, start) -> {
                            long length = start == 0 ? first : Math.min(others, total - start);
                            Tensor frames = x.narrow(1, start, length);
                            Clip before = progress.latest;
                            Clip out = network.forward(
                                    before == null ? Clip.first(frames) : before.next(frames, start + length == total));
                            List<Tensor> done = new ArrayList<>(progress.done);
                            done.add(out.frames());
                            return new Progress(done, out);
                        })
                        .done,
                1));
    }
}
