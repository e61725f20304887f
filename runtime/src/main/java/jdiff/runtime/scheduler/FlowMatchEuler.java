package jdiff.runtime.scheduler;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import jdiff.runtime.config.Config;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;

/**
 * Euler steps along the flow from noise to picture: {@code x' = x + (sigma' - sigma)·v}. The levels are shifted towards noise,
 * by a constant or by the number of image tokens; the arithmetic is that of Diffusers' FlowMatchEulerDiscreteScheduler, float32
 * where sigmas are passed, float64 where they are its own.
 */
public final class FlowMatchEuler implements Scheduler {
    private static final Set<String> KEYS = Set.of(
            "num_train_timesteps",
            "shift",
            "use_dynamic_shifting",
            "base_shift",
            "max_shift",
            "base_image_seq_len",
            "max_image_seq_len",
            "shift_terminal",
            "time_shift_type",
            "invert_sigmas",
            "stochastic_sampling",
            "use_karras_sigmas",
            "use_exponential_sigmas",
            "use_beta_sigmas");

    /** How levels are spread anew between their first and last. */
    private enum Spread {
        AS_GIVEN,
        KARRAS,
        EXPONENTIAL,
        BETA
    }

    private final int trainTimesteps;
    private final double shift;
    private final boolean dynamic;
    private final boolean linearTimeShift;
    private final double baseShift;
    private final double maxShift;
    private final int baseTokens;
    private final int maxTokens;
    private final double terminal; // 0: none
    private final boolean inverted;
    private final Spread spread;

    private FlowMatchEuler(Config config) throws FaultException {
        this.trainTimesteps = config.positive("num_train_timesteps", 1000, 1_000_000);
        this.shift = config.positiveNumber("shift", 1, 1000);
        this.dynamic = config.flag("use_dynamic_shifting", false);
        config.requireValue("time_shift_type", "exponential", "linear");
        this.linearTimeShift = config.string("time_shift_type", "exponential").equals("linear");
        this.baseShift = config.number("base_shift", 0.5);
        this.maxShift = config.number("max_shift", 1.15);
        this.baseTokens = config.positive("base_image_seq_len", 256, Integer.MAX_VALUE);
        this.maxTokens = config.positive("max_image_seq_len", 4096, Integer.MAX_VALUE);
        if (baseTokens == maxTokens) {
            throw config.error("max_image_seq_len", "must differ from base_image_seq_len " + baseTokens);
        }
        this.terminal = config.number("shift_terminal", 0);
        if (!(terminal >= 0 && terminal < 1)) {
            throw config.error("shift_terminal", "wanted a number from 0, below 1, found " + terminal);
        }
        this.inverted = config.flag("invert_sigmas", false);
        config.requireValue("stochastic_sampling", false);
        this.spread = spread(config);
        config.requireKnown(KEYS);
    }

    /** The scheduler that {@code scheduler_config.json} describes. */
    public static FlowMatchEuler read(Config config) throws FaultException {
        return new FlowMatchEuler(config);
    }

    private static Spread spread(Config config) throws FaultException {
        var chosen = new ArrayList<Spread>();
        if (config.flag("use_karras_sigmas", false)) {
            chosen.add(Spread.KARRAS);
        }
        if (config.flag("use_exponential_sigmas", false)) {
            chosen.add(Spread.EXPONENTIAL);
        }
        if (config.flag("use_beta_sigmas", false)) {
            chosen.add(Spread.BETA);
        }
        if (chosen.size() > 1) {
            throw config.error("use_karras_sigmas", "only one of karras, exponential and beta sigmas can be used");
        }
        return chosen.isEmpty() ? Spread.AS_GIVEN : chosen.get(0);
    }

    @Override
    public Solver start(StepRequest request) {
        return start(request, mu(request.imageTokens()));
    }

    Solver start(StepRequest request, double mu) {
        float[] passed = request.sigmas();
        float[] sigmas;
        if (passed == null) {
            sigmas = rounded(respread(ownLevels(request.count(), mu)));
        } else {
            float[] shifted = shifted(passed, mu);
            sigmas = spread == Spread.AS_GIVEN ? shifted : rounded(respread(widened(shifted)));
        }
        return new Euler(steps(sigmas));
    }

    /** Strength of the dynamic shift: a line through (base tokens, base shift) and (max tokens, max shift). */
    double mu(long imageTokens) {
        double m = (maxShift - baseShift) / (maxTokens - baseTokens);
        double b = baseShift - m * baseTokens;
        return imageTokens * m + b;
    }

    /** Passed levels, shifted and stretched in float32. */
    private float[] shifted(float[] levels, double mu) {
        float[] out = new float[levels.length];
        for (int i = 0; i < out.length; i++) {
            float s = levels[i];
            if (dynamic) {
                float power = (float) (linearTimeShift ? mu : Math.exp(mu));
                out[i] = power / (power + (1 / s - 1));
            } else {
                out[i] = (float) shift * s / (1 + (float) (shift - 1) * s);
            }
        }
        float last = 1 - out[out.length - 1];
        if (terminal != 0 && last != 0) {
            float scale = last / (float) (1 - terminal);
            for (int i = 0; i < out.length; i++) {
                out[i] = 1 - (1 - out[i]) / scale;
            }
        }
        return out;
    }

    /**
     * The scheduler's own levels, in float64: equally spaced timesteps between the ends of a table that a static shift has been
     * through already, and then the shift. So a static shift acts twice.
     */
    private double[] ownLevels(int count, double mu) {
        double[] levels = Spacing.linear(
                (double) tableEnd(trainTimesteps) * trainTimesteps, (double) tableEnd(1) * trainTimesteps, count);
        for (int i = 0; i < count; i++) {
            double s = levels[i] / trainTimesteps;
            if (dynamic) {
                double power = linearTimeShift ? mu : Math.exp(mu);
                levels[i] = power / (power + (1 / s - 1));
            } else {
                levels[i] = shift * s / (1 + (shift - 1) * s);
            }
        }
        double last = 1 - levels[count - 1];
        if (terminal != 0 && last != 0) {
            double scale = last / (1 - terminal);
            for (int i = 0; i < count; i++) {
                levels[i] = 1 - (1 - levels[i]) / scale;
            }
        }
        return levels;
    }

    /** Entry {@code timestep} of the constructor's table, which is float32. */
    private float tableEnd(int timestep) {
        float s = (float) timestep / trainTimesteps;
        return dynamic ? s : (float) shift * s / (1 + (float) (shift - 1) * s);
    }

    private double[] respread(double[] levels) {
        double first = levels[0];
        double last = levels[levels.length - 1];
        return switch (spread) {
            case AS_GIVEN -> levels;
            case KARRAS -> Spacing.karras(first, last, levels.length);
            case EXPONENTIAL -> Spacing.exponential(first, last, levels.length);
            case BETA -> Spacing.beta(first, last, levels.length);
        };
    }

    private List<Step> steps(float[] sigmas) {
        int count = sigmas.length;
        var steps = new ArrayList<Step>(count);
        for (int i = 0; i < count; i++) {
            float next = i + 1 < count ? sigmas[i + 1] : 0;
            float sigma = inverted ? 1 - sigmas[i] : sigmas[i];
            steps.add(new Step(i, sigma * trainTimesteps, sigma, inverted ? 1 - next : next));
        }
        return List.copyOf(steps);
    }

    private static double[] widened(float[] values) {
        double[] out = new double[values.length];
        for (int i = 0; i < out.length; i++) {
            out[i] = values[i];
        }
        return out;
    }

    private static float[] rounded(double[] values) {
        float[] out = new float[values.length];
        for (int i = 0; i < out.length; i++) {
            out[i] = (float) values[i];
        }
        return out;
    }

    /** First order: nothing to remember. */
    private record Euler(List<Step> steps) implements Solver {
        @Override
        public Tensor step(Tensor latents, Tensor prediction, Step step) {
            return Scope.tidy(() -> {
                // 0-dim, so the product is rounded to the prediction's dtype before the float32 sum.
                Tensor dt = Tensor.scalar(step.nextSigma() - step.sigma(), DType.F32);
                return latents.to(DType.F32).add(dt.mul(prediction)).to(prediction.dtype());
            });
        }
    }
}
