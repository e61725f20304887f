package jdiff.runtime.scheduler;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many steps, and where from.
 *
 * @param count number of steps
 * @param sigmas levels before the scheduler's shift, one per step, or null for the scheduler's own
 * @param imageTokens packed image tokens, for shifts that depend on the size
 */
public record StepRequest(int count, float @Nullable [] sigmas, long imageTokens) {
    public StepRequest {
        if (count < 1) {
            throw new IllegalArgumentException("num_inference_steps must be at least 1, got " + count);
        }
        if (sigmas != null) {
            if (sigmas.length != count) {
                throw new IllegalArgumentException(
                        "sigmas must have one value per step: wanted " + count + ", got " + sigmas.length);
            }
            for (float sigma : sigmas) {
                if (!(sigma > 0 && sigma <= 1)) {
                    throw new IllegalArgumentException("sigmas must be above 0 and at most 1, got " + sigma);
                }
            }
            sigmas = sigmas.clone();
        }
    }

    /** The levels that a user gave, rounded to float32, or else {@link #linear}. */
    public static StepRequest of(int count, @Nullable List<Double> sigmas, long imageTokens) {
        if (sigmas == null) {
            return linear(count, imageTokens);
        }
        float[] rounded = new float[sigmas.size()];
        for (int i = 0; i < rounded.length; i++) {
            rounded[i] = sigmas.get(i).floatValue();
        }
        return new StepRequest(count, rounded, imageTokens);
    }

    /** The levels that image pipelines pass: from 1 to 1/count in equal distances, rounded to float32. */
    public static StepRequest linear(int count, long imageTokens) {
        if (count < 1) {
            throw new IllegalArgumentException("num_inference_steps must be at least 1, got " + count);
        }
        double[] levels = Spacing.linear(1, 1.0 / count, count);
        float[] sigmas = new float[count];
        for (int i = 0; i < count; i++) {
            sigmas[i] = (float) levels[i];
        }
        return new StepRequest(count, sigmas, imageTokens);
    }
}
