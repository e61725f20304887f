package jdiff.runtime.model.qwenimage;

import java.util.List;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Tensor;

/** Positions of tokens for the rotary embedding: image tokens around the centre, text tokens behind the largest half side. */
public final class QwenImagePositions {
    /** The published rotary tables end here. */
    public static final int MAX_POSITION = 4095;

    private static final int AXES = 3;

    private QwenImagePositions() {}

    /**
     * (frame + i, y - ceil(rows/2), x - ceil(columns/2)) of each token of picture i, frame by frame and row by row; float32
     * [L, 3].
     *
     * @throws IllegalArgumentException beyond {@link #MAX_POSITION}
     */
    public static Tensor image(List<GridShape> shapes, Device device) {
        int total = shapes.stream().mapToInt(GridShape::numTokens).sum();
        float[] values = new float[total * AXES];
        int next = 0;
        for (int i = 0; i < shapes.size(); i++) {
            GridShape s = shapes.get(i);
            requireLegal(Math.max(s.frames() + i - 1, (Math.max(s.rows(), s.columns()) + 1) / 2), shapes);
            for (int token = 0; token < s.numTokens(); token++) {
                int column = token % s.columns();
                int row = token / s.columns() % s.rows();
                values[next++] = token / (s.columns() * s.rows()) + i;
                values[next++] = row - (s.rows() - s.rows() / 2);
                values[next++] = column - (s.columns() - s.columns() / 2);
            }
        }
        return Tensor.of(values, total, AXES).to(device);
    }

    /**
     * k + the largest half side of all pictures, on all axes, for text token k; float32 [S, 3].
     *
     * @throws IllegalArgumentException beyond {@link #MAX_POSITION}
     */
    public static Tensor text(int numTokens, List<GridShape> shapes, Device device) {
        int first = shapes.stream()
                .mapToInt(s -> Math.max(s.rows() / 2, s.columns() / 2))
                .max()
                .orElseThrow();
        requireLegal(first + numTokens - 1, shapes);
        float[] values = new float[numTokens * AXES];
        for (int i = 0; i < values.length; i++) {
            values[i] = first + i / AXES;
        }
        return Tensor.of(values, numTokens, AXES).to(device);
    }

    private static void requireLegal(int position, List<GridShape> shapes) {
        if (position > MAX_POSITION) {
            throw new IllegalArgumentException("tokens of " + shapes + " need position " + position
                    + " of the rotary embedding, which ends at " + MAX_POSITION
                    + "; use a smaller picture or a shorter prompt");
        }
    }
}
