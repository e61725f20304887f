package jdiff.runtime.job;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import jdiff.runtime.config.Json;
import jdiff.runtime.config.JsonReader;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.pipeline.GenerationRequest;
import jdiff.runtime.pipeline.OutputType;
import jdiff.runtime.pipeline.RequestOption;
import org.jspecify.annotations.Nullable;

/**
 * The lines of {@code manifest.jsonl}: one JSON object for each prompt, in the order of their indices, without time, host or rank.
 * {@code options} plus {@code prompt} is a line of a prompt file that makes the same pictures again.
 */
public final class Manifest {
    /** Name of the file in the output folder. */
    public static final String FILE = "manifest.jsonl";

    private static final int VERSION = 1;

    private Manifest() {}

    /** The line of a result, without its end. */
    public static String line(PromptResult result) {
        return Json.write(json -> {
            json.writeStartObject();
            json.writeNumberField("version", VERSION);
            json.writeNumberField("index", result.index());
            json.writeStringField("state", result.isDone() ? "done" : "failed");
            if (!result.isDone()) {
                json.writeStringField("cause", result.cause());
            }
            if (result.request() != null) {
                json.writeStringField("key", result.key());
                json.writeStringField("prompt", result.request().prompt());
                json.writeFieldName("options");
                writeOptions(json, result.options());
            }
            json.writeStringField("model", result.model());
            json.writeStringField("fingerprint", result.fingerprint());
            json.writeStringField("dtype", result.dtype());
            json.writeArrayFieldStart("files");
            for (ResultFile file : result.files()) {
                json.writeStartObject();
                json.writeStringField("name", file.name());
                json.writeNumberField("seed", file.seed());
                json.writeNumberField("bytes", file.bytes());
                json.writeStringField("sha256", file.sha256());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    /** Writes options as a JSON object, in the types of a prompt file. */
    static void writeOptions(JsonGenerator json, Map<RequestOption, Object> options) throws IOException {
        json.writeStartObject();
        for (RequestOption option : RequestOption.values()) {
            Object value = options.get(option);
            if (value != null) {
                json.writeFieldName(option.key());
                writeValue(json, value);
            }
        }
        json.writeEndObject();
    }

    private static void writeValue(JsonGenerator json, Object value) throws IOException {
        if (value instanceof Integer || value instanceof Long) {
            json.writeNumber(((Number) value).longValue());
        } else if (value instanceof Double number) {
            json.writeNumber(number);
        } else if (value instanceof List<?> items) {
            json.writeStartArray();
            for (Object item : items) {
                writeValue(json, item);
            }
            json.writeEndArray();
        } else {
            json.writeString(value instanceof OutputType type ? type.word() : value.toString());
        }
    }

    /**
     * Reads a line; {@code place} stands for it in errors.
     *
     * @throws FaultException BAD_INPUT if it is no such line
     */
    public static PromptResult parse(String place, String line) throws FaultException {
        JsonReader json = JsonReader.of(place, line);
        json.expect(JsonToken.START_OBJECT, "an object");
        Fields fields = new Fields();
        while (json.more()) {
            String key = json.text();
            switch (key) {
                case "version" -> fields.version = json.count(key, Integer.MAX_VALUE);
                case "index" -> fields.index = json.count(key, Integer.MAX_VALUE);
                case "state" -> fields.done = json.string(key).equals("done");
                case "cause" -> fields.cause = json.string(key);
                case "key" -> fields.key = json.string(key);
                case "prompt" ->
                    fields.request = GenerationRequest.of(json.string(key)).withDefaults(fields.options);
                case "options" -> fields.options = options(json);
                case "model" -> fields.model = json.string(key);
                case "fingerprint" -> fields.fingerprint = json.string(key);
                case "dtype" -> fields.dtype = json.string(key);
                case "files" -> fields.files = files(json);
                default -> throw json.error("unknown field " + key);
            }
        }
        json.end();
        if (fields.version != VERSION || fields.index < 0 || fields.done != fields.cause.isEmpty()) {
            throw json.error("wanted a line of version " + VERSION + " with index, state and, if failed, cause");
        }
        return new PromptResult(
                fields.index,
                fields.key,
                fields.cause,
                fields.request == null ? null : fields.request.withDefaults(fields.options),
                fields.model,
                fields.fingerprint,
                fields.dtype,
                fields.files);
    }

    private static Map<RequestOption, Object> options(JsonReader json) throws FaultException {
        json.expect(JsonToken.START_OBJECT, "an object with options");
        try {
            return JsonPrompt.options(json).options();
        } catch (IllegalArgumentException e) {
            throw json.error(String.valueOf(e.getMessage()));
        }
    }

    private static List<ResultFile> files(JsonReader json) throws FaultException {
        json.expect(JsonToken.START_ARRAY, "a list of files");
        List<ResultFile> files = new ArrayList<>();
        while (json.next() == JsonToken.START_OBJECT) {
            String name = "";
            long seed = 0;
            long bytes = 0;
            String sha256 = "";
            while (json.more()) {
                String key = json.text();
                switch (key) {
                    case "name" -> name = json.string(key);
                    case "seed" -> seed = whole(json);
                    case "bytes" -> bytes = whole(json);
                    case "sha256" -> sha256 = json.string(key);
                    default -> throw json.error("unknown field " + key);
                }
            }
            files.add(new ResultFile(name, seed, bytes, sha256));
        }
        return files;
    }

    private static long whole(JsonReader json) throws FaultException {
        json.expect(JsonToken.VALUE_NUMBER_INT, "a whole number");
        try {
            return Long.parseLong(json.text());
        } catch (NumberFormatException e) {
            throw json.error("wanted a number below 2^63");
        }
    }

    /** What was read so far. */
    private static final class Fields {
        private int version;
        private int index = -1;
        private boolean done;
        private String cause = "";
        private String key = "";
        private @Nullable GenerationRequest request;
        private Map<RequestOption, Object> options = Map.of();
        private String model = "";
        private String fingerprint = "";
        private String dtype = "";
        private List<ResultFile> files = List.of();
    }
}
