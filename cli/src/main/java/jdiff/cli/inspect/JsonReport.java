package jdiff.cli.inspect;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import jdiff.runtime.distributed.ParallelDims;
import jdiff.runtime.distributed.RankGrid;
import jdiff.runtime.weights.Checkpoint;
import jdiff.runtime.weights.FileDigests;
import jdiff.runtime.weights.LoadPlan;
import jdiff.runtime.weights.PlannedTensor;
import jdiff.runtime.weights.SurveyedFile;
import jdiff.runtime.weights.WeightSurvey;
import org.jspecify.annotations.Nullable;

/** A report for programs: one JSON object in ASCII, with everything; all sizes are bytes. */
final class JsonReport {
    // Names come from files of strangers: as escapes they can do nothing to a terminal.
    private static final JsonFactory ASCII =
            new JsonFactoryBuilder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private final ModelReport report;
    private final JsonGenerator json;

    private JsonReport(ModelReport report, JsonGenerator json) {
        this.report = report;
        this.json = json;
    }

    static void print(ModelReport report, PrintWriter out) throws IOException {
        try (JsonGenerator json = ASCII.createGenerator(out).useDefaultPrettyPrinter()) {
            json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
            new JsonReport(report, json).write();
        }
        out.println();
        out.flush();
    }

    private void write() throws IOException {
        json.writeStartObject();
        json.writeStringField("path", report.path().toString());
        text("pipeline_class", report.pipeline());
        text("family", report.family());
        json.writeNumberField("exit_code", report.exitCode());
        json.writeArrayFieldStart("components");
        for (InspectedComponent component : report.components()) {
            component(component);
        }
        json.writeEndArray();
        json.writeFieldName("grid");
        if (report.planned().isEmpty()) {
            json.writeNull();
        } else {
            grid();
        }
        json.writeArrayFieldStart("findings");
        for (Finding finding : report.findings()) {
            json.writeStartObject();
            json.writeStringField("severity", finding.severity());
            text("component", finding.component().isEmpty() ? null : finding.component());
            text("fault", finding.fault() == null ? null : finding.fault().word());
            json.writeStringField("message", finding.text());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void component(InspectedComponent component) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", component.name());
        text("library", component.library());
        text("class_name", component.className());
        WeightSurvey weights = component.weights();
        json.writeBooleanField("has_weights", weights != null);
        if (weights != null) {
            json.writeNumberField(
                    "file_bytes",
                    weights.used().stream().mapToLong(SurveyedFile::bytes).sum());
            json.writeFieldName("stored");
            tally(Tally.stored(weights.tensors()));
            json.writeFieldName("in_memory");
            if (component.plan() == null) {
                json.writeNull();
            } else {
                tally(Tally.inMemory(component.plan().whole()));
            }
            json.writeArrayFieldStart("files");
            for (SurveyedFile file : weights.files()) {
                file(file);
            }
            json.writeEndArray();
            tensors(component, weights);
        }
        json.writeEndObject();
    }

    private void tally(Tally tally) throws IOException {
        json.writeStartObject();
        count(tally.all());
        json.writeObjectFieldStart("dtypes");
        for (Map.Entry<String, Tally.Count> dtype : tally.byDtype().entrySet()) {
            json.writeObjectFieldStart(dtype.getKey());
            count(dtype.getValue());
            json.writeEndObject();
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    private void count(Tally.Count count) throws IOException {
        json.writeNumberField("num_tensors", count.tensors());
        json.writeNumberField("num_parameters", count.elements());
        json.writeNumberField("bytes", count.bytes());
    }

    private void file(SurveyedFile file) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", file.name());
        json.writeStringField("path", file.path().toString());
        json.writeNumberField("bytes", file.bytes());
        json.writeBooleanField("used", file.used());
        json.writeStringField(
                "state", file.fault() == null ? "ok" : file.fault().fault().word());
        text("message", file.fault() == null ? null : file.fault().getMessage());
        json.writeFieldName("num_tensors");
        if (file.header() == null) {
            json.writeNull();
        } else {
            json.writeNumber(file.header().entries().size());
        }
        FileDigests.Result digest = report.digests().get(file.path());
        if (digest != null) {
            json.writeObjectFieldStart("sha256");
            json.writeStringField("state", digest.state().word().replace(' ', '_'));
            text("expected", digest.expected());
            text("found", digest.found());
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private void tensors(InspectedComponent component, WeightSurvey weights) throws IOException {
        InspectedComponent.Plan plan = component.plan();
        List<Map<String, PlannedTensor>> planned = plan == null ? List.of() : plan.byStoredName();
        json.writeArrayFieldStart("tensors");
        for (Checkpoint.Location tensor : weights.tensors()) {
            String name = tensor.entry().name();
            PlannedTensor first = planned.isEmpty() ? null : planned.get(0).get(name);
            json.writeStartObject();
            json.writeStringField("name", name);
            json.writeStringField("file", String.valueOf(tensor.file().path().getFileName()));
            json.writeStringField("stored_dtype", tensor.entry().type().name());
            text("memory_dtype", first == null ? null : first.dtype().toString());
            shape(tensor.entry().shape());
            json.writeNumberField("bytes", tensor.entry().bytes());
            if (first != null) {
                json.writeArrayFieldStart("kept_by_tp");
                for (Map<String, PlannedTensor> rank : planned) {
                    PlannedTensor kept = Objects.requireNonNull(rank.get(name));
                    json.writeStartObject();
                    shape(kept.shape());
                    share(new ModelReport.Share(kept.fileBytes(), kept.memoryBytes()));
                    json.writeEndObject();
                }
                json.writeEndArray();
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void grid() throws IOException {
        ParallelDims dims = report.dims();
        json.writeStartObject();
        json.writeNumberField("world_size", dims.product());
        json.writeNumberField("dp_degree", dims.dp());
        json.writeNumberField("cfg_degree", dims.cfg());
        json.writeNumberField("ring_degree", dims.ring());
        json.writeNumberField("ulysses_degree", dims.ulysses());
        json.writeNumberField("tp_degree", dims.tp());
        json.writeBooleanField("complete", report.unplanned().isEmpty());
        json.writeObjectFieldStart("whole");
        share(report.whole());
        json.writeEndObject();
        json.writeArrayFieldStart("ranks");
        RankGrid grid = new RankGrid(dims);
        for (int rank = 0; rank < dims.product(); rank++) {
            rank(rank, grid.coordinates(rank));
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void rank(int rank, RankGrid.Coordinates at) throws IOException {
        ModelReport.Share whole = report.whole();
        ModelReport.Share share = report.ofTp(at.tp());
        json.writeStartObject();
        json.writeNumberField("rank", rank);
        json.writeNumberField("dp", at.dp());
        json.writeNumberField("cfg", at.cfg());
        json.writeNumberField("ring", at.ring());
        json.writeNumberField("ulysses", at.ulysses());
        json.writeNumberField("tp", at.tp());
        share(share);
        json.writeNumberField("percent_read", percent(share.read(), whole.read()));
        json.writeNumberField("percent_in_memory", percent(share.held(), whole.held()));
        json.writeObjectFieldStart("components");
        for (InspectedComponent component : report.planned()) {
            LoadPlan<?> plan = Objects.requireNonNull(component.plan()).byTp().get(at.tp());
            json.writeObjectFieldStart(component.name());
            share(ModelReport.Share.of(plan));
            json.writeEndObject();
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    private static double percent(long part, long whole) {
        return whole == 0 ? 0 : Math.round(10_000.0 * part / whole) / 100.0;
    }

    private void share(ModelReport.Share share) throws IOException {
        json.writeNumberField("bytes_read", share.read());
        json.writeNumberField("bytes_in_memory", share.held());
    }

    private void shape(long[] shape) throws IOException {
        json.writeFieldName("shape");
        json.writeArray(shape, 0, shape.length);
    }

    private void text(String key, @Nullable String value) throws IOException {
        if (value == null) {
            json.writeNullField(key);
        } else {
            json.writeStringField(key, value);
        }
    }
}
