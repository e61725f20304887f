package jdiff.launcher.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a worker says of its own failure: jdiff's form (torchrun's nested form with more fields) or torchrun's flat form.
 *
 * @param message as written, usually {@code Type: text}
 * @param cause cause word, or empty
 * @param stack for {@code -v}, or empty
 * @param prompt what was being worked on, or empty
 */
public record ErrorFile(String message, String cause, String stack, String prompt) {
    public static final String MESSAGE = "message";
    public static final String EXTRA_INFO = "extraInfo";
    public static final String PY_CALLSTACK = "py_callstack";
    public static final String TIMESTAMP = "timestamp";
    public static final String ERROR_CODE = "errorCode";
    public static final String RANK = "rank";
    public static final String CAUSE = "cause";
    public static final String JAVA_STACK = "javaStack";
    public static final String PROMPT = "prompt";
    public static final String HOST = "host";
    public static final String PID = "pid";
    public static final String ATTEMPT = "attempt";

    private static final int MAX_BYTES = 1 << 20;
    private static final int MAX_DEPTH = 16;
    private static final int MAX_WORD = 32;

    /** Reads a file; null if it is missing, cut, too large or not of either form. */
    public static @Nullable ErrorFile read(Path file) {
        try {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) > MAX_BYTES) {
                return null;
            }
            byte[] bytes;
            try (var in = Files.newInputStream(file)) {
                bytes = in.readNBytes(MAX_BYTES);
            }
            return parse(bytes);
        } catch (IOException e) {
            return null;
        }
    }

    static @Nullable ErrorFile parse(byte[] json) {
        Map<String, String> values = new HashMap<>();
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            flatten(parser, "", values, 0);
        } catch (IOException | IllegalStateException e) {
            return null;
        }
        String message = values.getOrDefault(MESSAGE + "." + MESSAGE, values.getOrDefault(MESSAGE, ""));
        if (message.isBlank()) {
            return null;
        }
        String stack = values.getOrDefault(
                JAVA_STACK, values.getOrDefault(MESSAGE + "." + EXTRA_INFO + "." + PY_CALLSTACK, ""));
        String cause = values.getOrDefault(CAUSE, "");
        return new ErrorFile(message, isWord(cause) ? cause : "", stack, values.getOrDefault(PROMPT, ""));
    }

    private static boolean isWord(String cause) {
        return cause.length() <= MAX_WORD && cause.chars().allMatch(c -> (c >= 'a' && c <= 'z') || c == '-');
    }

    private static void flatten(JsonParser parser, String path, Map<String, String> values, int depth)
            throws IOException {
        if (depth > MAX_DEPTH) {
            throw new IllegalStateException("deeper than " + MAX_DEPTH);
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = path.isEmpty() ? parser.currentName() : path + "." + parser.currentName();
            JsonToken token = parser.nextToken();
            if (token == JsonToken.START_OBJECT) {
                flatten(parser, name, values, depth + 1);
            } else if (token == JsonToken.START_ARRAY) {
                parser.skipChildren();
            } else if (token != null && token.isScalarValue() && token != JsonToken.VALUE_NULL) {
                values.put(name, parser.getText());
            } else if (token == null) {
                throw new IllegalStateException("cut");
            }
        }
        if (parser.currentToken() != JsonToken.END_OBJECT) {
            throw new IllegalStateException("cut");
        }
    }

    /** The message without the Java or Python type it begins with. */
    public String text() {
        int colon = message.indexOf(": ");
        if (colon > 0) {
            String type = message.substring(0, colon);
            boolean name = type.chars().allMatch(c -> Character.isJavaIdentifierPart(c) || c == '.');
            if (name && (type.endsWith("Exception") || type.endsWith("Error"))) {
                return message.substring(colon + 2);
            }
        }
        return message;
    }

    /** Whether the worker named a cause that its user can understand and act upon: then its message is the headline. */
    boolean isForUser() {
        return !cause.isEmpty() && !cause.equals("error");
    }
}
