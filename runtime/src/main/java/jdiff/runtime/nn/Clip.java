package jdiff.runtime.nn;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import jdiff.runtime.tensor.Tensor;
import jdiff.runtime.tensor.TensorGroup;
import org.jspecify.annotations.Nullable;

/**
 * Consecutive frames [B, T, H, W, C] of a video on their way through causal layers, together with the earlier frames that these
 * layers look back at. A video may come in chunks: each layer finds the memory that it left in the chunk before by its place in
 * the order of calls, which is the same for every chunk. The memory belongs to the call, so layers stay immutable and may serve
 * several threads.
 */
public final class Clip implements TensorGroup {
    private final Tensor frames;
    /** What the layers kept in the chunk before; none at the start of a video. */
    private final @Nullable List<Tensor> past;
    /** What they keep for the chunk after this one; none if this is the last. */
    private final @Nullable List<Tensor> kept;
    /** How many layers with a memory were passed. */
    private final int position;

    private Clip(Tensor frames, @Nullable List<Tensor> past, @Nullable List<Tensor> kept, int position) {
        this.frames = frames;
        this.past = past;
        this.kept = kept;
        this.position = position;
    }

    /** A whole video, or a picture: nothing comes before or after it, so nothing is remembered. */
    public static Clip whole(Tensor frames) {
        return new Clip(frames, null, null, 0);
    }

    /** The first chunk of a video that goes on. */
    public static Clip first(Tensor frames) {
        return new Clip(frames, null, List.of(), 0);
    }

    /**
     * The chunk after this one, which has come out of the network.
     *
     * @param last whether the video ends with it
     */
    public Clip next(Tensor frames, boolean last) {
        if (kept == null) {
            throw new IllegalStateException("nothing was remembered of the chunk before " + frames);
        }
        return new Clip(frames, kept, last ? null : List.of(), 0);
    }

    /** [B, T, H, W, C]. */
    public Tensor frames() {
        return frames;
    }

    /** Whether the first frame of the video is among these. */
    public boolean isStart() {
        return past == null;
    }

    /** Applies a layer without memory. */
    public Clip map(UnaryOperator<Tensor> layer) {
        return new Clip(layer.apply(frames), past, kept, position);
    }

    /**
     * Applies a layer that looks back.
     *
     * @param span how many earlier frames it sees
     * @param layer gets these frames with up to {@code span} remembered ones in front, fewer near the start of the video
     */
    public Clip mapWindow(int span, UnaryOperator<Tensor> layer) {
        Tensor window = past == null ? frames : joined(past.get(position), frames);
        Tensor out = layer.apply(window);
        if (kept == null) {
            return new Clip(out, past, null, position + 1);
        }
        List<Tensor> more = new ArrayList<>(kept.size() + 1);
        more.addAll(kept);
        more.add(tail(window, span));
        return new Clip(out, past, more, position + 1);
    }

    private static Tensor joined(Tensor before, Tensor frames) {
        if (before.size(1) == 0) {
            return frames;
        }
        return frames.size(1) == 0 ? before : Tensor.cat(List.of(before, frames), 1);
    }

    /** A copy, so that the memory of the whole window is not held. */
    private static Tensor tail(Tensor window, int span) {
        long length = Math.min(span, window.size(1));
        return window.narrow(1, window.size(1) - length, length).copy();
    }

    @Override
    public void forEachTensor(Consumer<Tensor> action) {
        action.accept(frames);
        if (kept != null) {
            kept.forEach(action);
        }
    }
}
