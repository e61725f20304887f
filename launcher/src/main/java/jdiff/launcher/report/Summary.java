package jdiff.launcher.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;

/** The machine-readable outcome of {@code --summary-json}; the file appears whole or not at all. */
public final class Summary {
    private Summary() {}

    public static void write(Path file, JobResult job, Texts texts) throws IOException {
        WholeFile.write(file, json(job, texts));
    }

    static String json(JobResult job, Texts texts) throws IOException {
        var text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text).useDefaultPrettyPrinter()) {
            json.writeStartObject();
            json.writeStringField("jobId", job.jobId());
            json.writeStringField("launchId", job.launchId());
            json.writeNumberField("code", job.code());
            json.writeStringField("cause", job.word());
            json.writeNumberField("attempts", job.attempts());
            json.writeArrayFieldStart("ranks");
            for (RankResult rank : job.ranks()) {
                writeRank(json, rank, texts);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        return text.append('\n').toString();
    }

    private static void writeRank(JsonGenerator json, RankResult rank, Texts texts) throws IOException {
        json.writeStartObject();
        json.writeNumberField("rank", rank.rank());
        json.writeStringField("host", rank.host());
        json.writeNumberField("pid", rank.pid());
        json.writeNumberField("exit", rank.exit().code());
        json.writeStringField("cause", rank.word());
        json.writeBooleanField("collateral", rank.stopped() || rank.isPeerLost());
        if (rank.error() != null) {
            json.writeStringField("message", texts.redact(rank.error().message()));
        }
        json.writeEndObject();
    }
}
