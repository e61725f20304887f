package jdiff.runtime.job;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.pipeline.GenerationRequest;
import jdiff.runtime.pipeline.Output;
import jdiff.runtime.pipeline.Picture;
import jdiff.runtime.pipeline.Pipeline;
import jdiff.runtime.pipeline.PipelineFamily;
import jdiff.runtime.pipeline.RequestOption;
import jdiff.runtime.pipeline.StepListener;

/** Noise that depends on the request; a prompt that begins with {@code bad} fails, one that begins with {@code gone} for good. */
final class FakePipeline implements Pipeline {
    private final AtomicInteger asked;

    /**
     * @param asked counts the requests
     */
    FakePipeline(AtomicInteger asked) {
        this.asked = asked;
    }

    @Override
    public PipelineFamily family() {
        return Jobs.FAMILY;
    }

    @Override
    public List<Output> generate(GenerationRequest request, StepListener listener) {
        asked.incrementAndGet();
        int steps = request.integer(RequestOption.NUM_INFERENCE_STEPS);
        int images = request.integer(RequestOption.NUM_IMAGES_PER_PROMPT);
        if (request.prompt().startsWith("bad")) {
            listener.stepDone(1, steps);
            throw new IllegalArgumentException("a bad prompt\u001b[31m");
        }
        if (request.prompt().startsWith("gone")) {
            throw new UncheckedIOException(new FaultException(Fault.IO, "the weights are gone"));
        }
        List<Output> outputs = new ArrayList<>();
        for (int image = 0; image < images; image++) {
            for (int step = 1; step <= steps; step++) {
                listener.stepDone(image * steps + step, images * steps);
            }
            long seed = request.longInteger(RequestOption.SEED) + image;
            int height = request.integer(RequestOption.HEIGHT);
            int width = request.integer(RequestOption.WIDTH);
            byte[] rgb = new byte[3 * height * width];
            new Random(seed ^ request.prompt().hashCode()).nextBytes(rgb);
            outputs.add(new Picture(seed, height, width, rgb));
        }
        return outputs;
    }

    @Override
    public List<Output> generateBatch(List<GenerationRequest> requests, StepListener listener) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
