package jdiff.runtime.job;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import jdiff.runtime.config.Digests;
import jdiff.runtime.config.Json;
import jdiff.runtime.config.Shown;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.pipeline.Output;
import jdiff.runtime.pipeline.Pipeline;
import jdiff.runtime.pipeline.RequestOption;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** Makes and writes the pictures of one prompt after another. */
final class PromptWork {
    private static final Logger LOG = LogManager.getLogger();
    private static final int MAX_CAUSE = 1000;

    private final JobSettings settings;
    private final JobPlan plan;
    private final PromptSource prompts;
    private final Pipeline pipeline;
    private final StepMeter meter;

    PromptWork(JobSettings settings, JobPlan plan, PromptSource prompts, Pipeline pipeline, StepMeter meter) {
        this.settings = settings;
        this.plan = plan;
        this.prompts = prompts;
        this.pipeline = pipeline;
        this.meter = meter;
    }

    /**
     * The result of a prompt: done, or failed for a reason that concerns this prompt only.
     *
     * @throws FaultException if no other prompt could succeed either: files cannot be written
     * @throws UncheckedIOException the same: other ranks are gone, or weights cannot be read
     */
    PromptResult make(PromptJob job) throws IOException {
        RequestKey key = RequestKey.of(job, settings.dtype(), plan.fingerprint());
        List<Output> outputs;
        try {
            outputs = pipeline.generate(job.request(), meter);
        } catch (UncheckedIOException e) {
            throw e; // ranks are gone, or weights cannot be read
        } catch (IllegalArgumentException e) {
            return result(job, key, failure(job, e, String.valueOf(e.getMessage())), List.of());
        } catch (RuntimeException e) {
            return result(job, key, failure(job, e, e.toString()), List.of());
        }
        return result(job, key, "", save(job, key, outputs));
    }

    private String failure(PromptJob job, RuntimeException e, String text) {
        String cause = prompts.place(job.index()) + ": " + Shown.cut(text, MAX_CAUSE);
        LOG.debug("{}", cause, e);
        return cause;
    }

    private PromptResult result(PromptJob job, RequestKey key, String cause, List<ResultFile> files) {
        return new PromptResult(
                job.index(),
                key.hex(),
                cause,
                job.request(),
                settings.model(),
                plan.fingerprint(),
                settings.dtype(),
                files);
    }

    private List<ResultFile> save(PromptJob job, RequestKey key, List<Output> outputs) throws FaultException {
        List<String> names = settings.names().of(job, key);
        if (names.size() != outputs.size()) {
            throw new IllegalStateException(
                    names.size() + " pictures were asked for, the pipeline made " + outputs.size());
        }
        List<ResultFile> files = new ArrayList<>(names.size());
        for (int image = 0; image < names.size(); image++) {
            Output output = outputs.get(image);
            Path file = plan.folder().resolve(names.get(image));
            try {
                output.save(file, metadata(job, key, output.seed()));
                files.add(new ResultFile(names.get(image), output.seed(), Files.size(file), Digests.sha256(file)));
            } catch (FaultException e) {
                throw e;
            } catch (IOException e) {
                throw new FaultException(Fault.OUTPUT, file + " cannot be written: " + e.getMessage(), e);
            }
        }
        return files;
    }

    /** What a file says of itself: no time, host, rank or path, and the texts of the user only if asked for. */
    private Map<String, String> metadata(PromptJob job, RequestKey key, long seed) {
        Map<RequestOption, Object> options = new EnumMap<>(RequestOption.class);
        options.putAll(job.request().options());
        options.put(RequestOption.SEED, seed);
        options.remove(RequestOption.NUM_IMAGES_PER_PROMPT);
        if (!settings.embedPrompt()) {
            options.remove(RequestOption.NEGATIVE_PROMPT);
        }
        String text = Json.write(json -> {
            json.writeStartObject();
            json.writeStringField("key", key.hex());
            json.writeStringField("pipeline", settings.family().className());
            json.writeStringField("fingerprint", plan.fingerprint());
            json.writeStringField("dtype", settings.dtype());
            if (settings.embedPrompt()) {
                json.writeStringField("prompt", job.request().prompt());
            }
            json.writeFieldName("options");
            Manifest.writeOptions(json, options);
            json.writeEndObject();
        });
        return Map.of("jdiff", text);
    }
}
