package jdiff.runtime.scheduler;

import java.util.List;
import jdiff.runtime.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Stand-in. */
public interface Scheduler {
    List<Step> steps(int n, @Nullable List<Double> sigmas, int imageSeqLen);

    Tensor step(Tensor sample, Tensor prediction, Step step);

    record Step(int index, double timestep, double sigma, double sigmaNext) {}
}
