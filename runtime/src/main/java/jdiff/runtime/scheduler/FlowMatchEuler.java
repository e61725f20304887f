package jdiff.runtime.scheduler;

import java.util.ArrayList;
import java.util.List;
import jdiff.runtime.config.Config;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Stand-in. */
public final class FlowMatchEuler implements Scheduler {
    public static FlowMatchEuler read(Config c) throws FaultException {
        return new FlowMatchEuler();
    }

    @Override
    public List<Step> steps(int n, @Nullable List<Double> sigmas, int len) {
        double m = (0.9 - 0.5) / (8192 - 256);
        double mu = len * m + 0.5 - m * 256;
        double[] s = new double[n + 1];
        for (int i = 0; i < n; i++) {
            double x = (float) (1 + (1.0 / n - 1) * i / (n - 1));
            s[i] = (float) (Math.exp(mu) / (Math.exp(mu) + 1 / x - 1));
        }
        double last = 1 - s[n - 1];
        for (int i = 0; i < n; i++) {
            s[i] = (float) (1 - (1 - s[i]) * (1 - 0.02) / last);
        }
        List<Step> out = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            out.add(new Step(i, (float) (1000 * s[i]), s[i], s[i + 1]));
        }
        return out;
    }

    @Override
    public Tensor step(Tensor x, Tensor v, Step s) {
        Tensor dt = Tensor.scalar(s.sigmaNext() - s.sigma(), DType.F32);
        return x.to(DType.F32).add(dt.mul(v)).to(v.dtype());
    }
}
