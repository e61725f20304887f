package jdiff.cli.doctor;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;

/** Findings as lines for people or as JSON for programs. */
public record Report(List<Finding> findings) {
    public Report {
        findings = List.copyOf(findings);
    }

    /** Whether nothing is in the way of a job. */
    public boolean isHealthy() {
        return findings.stream().noneMatch(finding -> finding.status() == Finding.Status.FAIL);
    }

    public void printLines(PrintWriter out) {
        for (Finding finding : findings) {
            out.printf("%-4s  %-9s %s%n", finding.status().word(), finding.name(), finding.text());
            if (!finding.advice().isEmpty()) {
                out.printf("                -> %s%n", finding.advice());
            }
        }
        out.flush();
    }

    public void printJson(PrintWriter out) throws IOException {
        try (JsonGenerator json = new JsonFactory().createGenerator(out).useDefaultPrettyPrinter()) {
            json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
            json.writeStartObject();
            json.writeBooleanField("healthy", isHealthy());
            json.writeArrayFieldStart("checks");
            for (Finding finding : findings) {
                json.writeStartObject();
                json.writeStringField("name", finding.name());
                json.writeStringField("status", finding.status().word());
                json.writeStringField("text", finding.text());
                json.writeStringField("advice", finding.advice());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        out.println();
        out.flush();
    }
}
