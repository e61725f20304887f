package jdiff.runtime.job;

import com.fasterxml.jackson.core.JsonToken;
import java.util.ArrayList;
import java.util.List;
import jdiff.runtime.config.JsonReader;
import jdiff.runtime.config.Shown;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.pipeline.GenerationRequest;
import jdiff.runtime.pipeline.RequestOption;
import org.jspecify.annotations.Nullable;

/** One line of a JSON prompt file: an object with {@code prompt} and any {@link RequestOption}. */
final class JsonPrompt {
    private static final String NAME = "JSON";

    private JsonPrompt() {}

    /**
     * Reads a line.
     *
     * @throws IllegalArgumentException if it is not such an object, has an unknown field, or a value of another type or range
     */
    static GenerationRequest parse(String line) {
        try {
            return read(JsonReader.of(NAME, line));
        } catch (FaultException e) {
            // The reader counts lines in this text, which is one line: only the column is of interest.
            String prefix = NAME + ":1:";
            String message = String.valueOf(e.getMessage());
            throw new IllegalArgumentException(
                    message.startsWith(prefix) ? "column " + message.substring(prefix.length()) : message, e);
        }
    }

    private static GenerationRequest read(JsonReader json) throws FaultException {
        json.expect(JsonToken.START_OBJECT, "an object like {\"prompt\": \"a red circle\"}");
        GenerationRequest request = members(json, true);
        json.end();
        String negative = request.text(RequestOption.NEGATIVE_PROMPT);
        String problem = negative == null ? null : PromptText.problem("negative_prompt", negative);
        if (problem != null) {
            throw new IllegalArgumentException(problem);
        }
        return request;
    }

    /** Reads an object with options alone, after its opening token; the prompt of the result is empty. */
    static GenerationRequest options(JsonReader json) throws FaultException {
        return members(json, false);
    }

    private static GenerationRequest members(JsonReader json, boolean withPrompt) throws FaultException {
        String prompt = withPrompt ? null : "";
        GenerationRequest options = GenerationRequest.of("");
        while (json.more()) {
            String key = json.text();
            JsonToken token = json.next();
            if (withPrompt && key.equals("prompt")) {
                if (token != JsonToken.VALUE_STRING) {
                    throw json.error("prompt must be a text");
                }
                prompt = json.text();
                continue;
            }
            RequestOption option = RequestOption.ofKey(key);
            if (option == null) {
                throw json.error(
                        "unknown field \"" + Shown.cut(key, 80) + "\"; known are prompt, " + String.join(", ", keys()));
            }
            // Diffusers' None: as if the field were not there.
            if (token != JsonToken.VALUE_NULL) {
                options = options.with(option, value(json, option, token));
            }
        }
        if (prompt == null) {
            throw new IllegalArgumentException("the field prompt is missing");
        }
        return GenerationRequest.of(prompt).withDefaults(options.options());
    }

    private static Object value(JsonReader json, RequestOption option, JsonToken token) throws FaultException {
        Object value = switch (option.kind()) {
            case TEXT, CHOICE -> token == JsonToken.VALUE_STRING ? json.text() : null;
            case INTEGER, LONG -> token == JsonToken.VALUE_NUMBER_INT ? json.text() : null;
            case NUMBER -> token.isNumeric() ? json.text() : null;
            case NUMBERS -> token == JsonToken.START_ARRAY ? numbers(json) : null;
        };
        if (value == null) {
            throw json.error(option.key() + " must be "
                    + switch (option.kind()) {
                        case TEXT, CHOICE -> "a text";
                        case INTEGER, LONG -> "a whole number";
                        case NUMBER -> "a number";
                        case NUMBERS -> "a list of numbers";
                    });
        }
        return value;
    }

    private static @Nullable List<String> numbers(JsonReader json) throws FaultException {
        List<String> numbers = new ArrayList<>();
        for (JsonToken token = json.next(); token != JsonToken.END_ARRAY; token = json.next()) {
            if (!token.isNumeric()) {
                return null;
            }
            numbers.add(json.text());
        }
        return numbers;
    }

    private static List<String> keys() {
        List<String> keys = new ArrayList<>();
        for (RequestOption option : RequestOption.values()) {
            keys.add(option.key());
        }
        return keys;
    }
}
