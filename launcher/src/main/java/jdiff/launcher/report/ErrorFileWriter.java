package jdiff.launcher.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;

/** Writes an error file in the form that torchrun and jdiff read; it appears whole or not at all. */
public final class ErrorFileWriter {
    private ErrorFileWriter() {}

    /**
     * Writes the file.
     *
     * @param error what to say; empty parts are left out
     * @param exitCode the process's exit code, or 0 if not known
     * @param timestamp epoch seconds, for people
     * @param facts further numbers: rank, pid, attempt
     */
    public static void write(
            Path file, ErrorFile error, int exitCode, long timestamp, String host, Map<String, Long> facts)
            throws IOException {
        WholeFile.write(file, json(error, exitCode, timestamp, host, facts));
    }

    static String json(ErrorFile error, int exitCode, long timestamp, String host, Map<String, Long> facts)
            throws IOException {
        var text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.writeStartObject();
            json.writeObjectFieldStart(ErrorFile.MESSAGE);
            json.writeStringField(ErrorFile.MESSAGE, error.message());
            if (exitCode != 0) {
                json.writeNumberField(ErrorFile.ERROR_CODE, exitCode);
            }
            json.writeObjectFieldStart(ErrorFile.EXTRA_INFO);
            json.writeStringField(ErrorFile.PY_CALLSTACK, error.stack());
            json.writeStringField(ErrorFile.TIMESTAMP, Long.toString(timestamp));
            json.writeEndObject();
            json.writeEndObject();
            for (var fact : facts.entrySet()) {
                json.writeNumberField(fact.getKey(), fact.getValue());
            }
            json.writeStringField(ErrorFile.CAUSE, error.cause());
            json.writeStringField(ErrorFile.JAVA_STACK, error.stack());
            json.writeStringField(ErrorFile.PROMPT, error.prompt());
            json.writeStringField(ErrorFile.HOST, host);
            json.writeEndObject();
        }
        return text.toString();
    }
}
