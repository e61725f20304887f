package jdiff.runtime.scheduler;

import java.util.function.DoubleUnaryOperator;

/** Sequences of levels between two ends, in float64 and in the order of operations of NumPy. */
final class Spacing {
    /** Both parameters of the beta distribution. */
    private static final double BETA = 0.6;
    /** B(0.6, 0.6) = gamma(0.6)² / gamma(1.2). */
    private static final double BETA_FUNCTION = 1.489192248812817 * 1.489192248812817 / 0.9181687423997607;

    private Spacing() {}

    /** {@code count} values from {@code from} to {@code to} in equal distances. */
    static double[] linear(double from, double to, int count) {
        double step = (to - from) / (count - 1);
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            values[i] = count == 1 ? from : i * step + from;
        }
        if (count > 1) {
            values[count - 1] = to;
        }
        return values;
    }

    /** Karras et al. 2022: equal distances of the seventh roots. */
    static double[] karras(double from, double to, int count) {
        double rho = 7;
        double first = Math.pow(from, 1 / rho);
        double last = Math.pow(to, 1 / rho);
        return map(count, u -> Math.pow(first + u * (last - first), rho));
    }

    /** Equal distances of the logarithms. */
    static double[] exponential(double from, double to, int count) {
        double[] values = linear(Math.log(from), Math.log(to), count);
        for (int i = 0; i < count; i++) {
            values[i] = Math.exp(values[i]);
        }
        return values;
    }

    /** Quantiles of the beta distribution (0.6, 0.6): closer together at both ends. */
    static double[] beta(double from, double to, int count) {
        return map(count, u -> to + betaQuantile(1 - u) * (from - to));
    }

    private static double[] map(int count, DoubleUnaryOperator level) {
        double[] values = linear(0, 1, count);
        for (int i = 0; i < count; i++) {
            values[i] = level.applyAsDouble(values[i]);
        }
        return values;
    }

    /** The x below which the share {@code p} of the distribution lies, by bisection: the function rises everywhere. */
    static double betaQuantile(double p) {
        if (p <= 0 || p >= 1) {
            return p <= 0 ? 0 : 1;
        }
        if (p > 0.5) {
            return 1 - betaQuantile(1 - p); // symmetric, and the series below is quick for small x only
        }
        double low = 0;
        double high = 0.5;
        for (int i = 0; i < 60; i++) {
            double middle = (low + high) / 2;
            if (betaShare(middle) < p) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return (low + high) / 2;
    }

    /**
     * Regularised incomplete beta function for x ≤ 1/2: {@code x^a / (a B) · sum of (1-b)_k a / (k! (a+k)) x^k}, with terms that
     * shrink at least by half.
     */
    private static double betaShare(double x) {
        double sum = 0;
        double term = 1;
        for (int k = 0; k < 200 && Math.abs(term) > 1e-18; k++) {
            sum += term * BETA / (BETA + k);
            term *= (k + 1 - BETA) / (k + 1) * x;
        }
        return Math.pow(x, BETA) / (BETA * BETA_FUNCTION) * sum;
    }
}
