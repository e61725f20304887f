package jdiff.cli.gpu;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import jdiff.runtime.pipeline.GenerationRequest;
import jdiff.runtime.pipeline.LoadOptions;
import jdiff.runtime.pipeline.Output;
import jdiff.runtime.pipeline.Picture;
import jdiff.runtime.pipeline.Pipeline;
import jdiff.runtime.pipeline.PipelineOptions;
import jdiff.runtime.pipeline.Pipelines;
import jdiff.runtime.pipeline.RequestOption;
import jdiff.runtime.pipeline.StepListener;
import jdiff.runtime.tensor.Device;

/**
 * One case on one device in one precision.
 *
 * @param pictures RGB bytes
 * @param secondsPerStep of the second run: the first one warms up
 */
record CaseRun(List<byte[]> pictures, double secondsPerStep) {
    static CaseRun run(GoldenCase golden, GoldenCase.Precision precision, Device device) throws IOException {
        PipelineOptions options = PipelineOptions.DEFAULT.withDtype(precision.dtypes);
        try (Pipeline pipeline =
                Pipelines.plan(golden.model().toString(), options).load(LoadOptions.on(device))) {
            generate(pipeline, golden.requests());
            long start = System.nanoTime();
            List<Output> outputs = generate(pipeline, golden.requests());
            double seconds = (System.nanoTime() - start) / 1e9;
            int steps = golden.requests().get(0).integer(RequestOption.NUM_INFERENCE_STEPS);
            List<byte[]> pictures = new ArrayList<>();
            for (Output output : outputs) {
                pictures.add(((Picture) output).rgb());
            }
            return new CaseRun(pictures, seconds / steps);
        }
    }

    private static List<Output> generate(Pipeline pipeline, List<GenerationRequest> requests) {
        return requests.size() == 1
                ? pipeline.generate(requests.get(0))
                : pipeline.generateBatch(requests, StepListener.NONE);
    }

    /** Peak signal-to-noise ratio in dB of the worst picture; infinite for equal ones. */
    static double psnr(List<byte[]> actual, List<byte[]> expected) {
        if (actual.size() != expected.size()) {
            throw new IllegalStateException(actual.size() + " pictures instead of " + expected.size());
        }
        double worst = Double.POSITIVE_INFINITY;
        for (int i = 0; i < actual.size(); i++) {
            worst = Math.min(worst, psnr(actual.get(i), expected.get(i)));
        }
        return worst;
    }

    private static double psnr(byte[] actual, byte[] expected) {
        if (actual.length != expected.length) {
            throw new IllegalStateException("a picture of " + actual.length + " bytes instead of " + expected.length);
        }
        double sum = 0;
        for (int i = 0; i < actual.length; i++) {
            double difference = (actual[i] & 0xff) - (expected[i] & 0xff);
            sum += difference * difference;
        }
        return 10 * Math.log10(255.0 * 255.0 * actual.length / sum);
    }
}
