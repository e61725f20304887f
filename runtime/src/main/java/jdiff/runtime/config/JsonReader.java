package jdiff.runtime.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import org.jspecify.annotations.Nullable;

/**
 * Streams one strict JSON document: nesting of at most 64, no duplicate keys, no NaN, nothing after the value. Every error is a
 * {@link FaultException} (BAD_INPUT) that begins with {@code file:line:column: }.
 */
public final class JsonReader {
    /** Largest index or tokenizer file, bytes. */
    public static final long LARGE = 64L << 20;
    /** Largest config file, bytes. */
    public static final long SMALL = 16L << 20;

    private static final List<String> ADVICE = List.of(" (start marker at", ": enable `");

    private final String name;
    private final JsonParser parser;

    private JsonReader(String name, String text) throws FaultException {
        this.name = name;
        try {
            this.parser = Json.FACTORY.createParser(text);
        } catch (IOException e) {
            throw new FaultException(Fault.BAD_INPUT, name + ": " + e.getMessage(), e);
        }
    }

    /** Opens {@code file}, which must be UTF-8 and at most {@code limitBytes} long. */
    public static JsonReader open(Path file, long limitBytes) throws FaultException {
        return new JsonReader(file.toString(), InputFile.text(file, limitBytes));
    }

    /** Reads {@code text}; {@code name} stands for the file in errors. */
    public static JsonReader of(String name, String text) throws FaultException {
        return new JsonReader(name, text);
    }

    /** The next token; an error where the document has ended or is broken. */
    public JsonToken next() throws FaultException {
        JsonToken token = advance();
        if (token == null) {
            throw error("the document ends where a value was expected");
        }
        return token;
    }

    /** The next token, which must be {@code wanted}; {@code what} names it in the error. */
    public void expect(JsonToken wanted, String what) throws FaultException {
        JsonToken found = next();
        if (found != wanted) {
            throw error("wanted " + what + ", found " + shown(found));
        }
    }

    /** The next value, which must be a string; {@code what} names it in the error. */
    public String string(String what) throws FaultException {
        expect(JsonToken.VALUE_STRING, what);
        return text();
    }

    /** The next value, which must be a whole number of {@code 0..max}. */
    public int count(String what, int max) throws FaultException {
        JsonToken found = next();
        if (found == JsonToken.VALUE_NUMBER_INT && text().length() <= 10) {
            long value = Long.parseLong(text());
            if (value >= 0 && value <= max) {
                return (int) value;
            }
        }
        throw error("wanted " + what + ", a whole number from 0 to " + max + ", found " + shown(found));
    }

    /** After the opening token was read: whether another member follows; then its key or value is the current token. */
    public boolean more() throws FaultException {
        JsonToken token = next();
        return token != JsonToken.END_OBJECT && token != JsonToken.END_ARRAY;
    }

    /** Skips the value whose first token is the current one. */
    public void skipCurrent() throws FaultException {
        try {
            parser.skipChildren();
        } catch (JsonProcessingException e) {
            throw broken(e);
        } catch (IOException e) {
            throw new FaultException(Fault.IO, name + ": cannot be read: " + e.getMessage(), e);
        }
    }

    /** Skips the next value, whatever it is. */
    public void skipNext() throws FaultException {
        next();
        skipCurrent();
    }

    /** The text of the current token: a key, a string, or the literal of a number. */
    public String text() throws FaultException {
        try {
            return parser.getText();
        } catch (JsonProcessingException e) {
            throw broken(e);
        } catch (IOException e) {
            throw new FaultException(Fault.IO, name + ": cannot be read: " + e.getMessage(), e);
        }
    }

    /** Nothing but white space may follow. */
    public void end() throws FaultException {
        JsonToken token = advance();
        if (token != null) {
            throw error("wanted the end of the document, found " + shown(token));
        }
    }

    /** An error at the current token. */
    public FaultException error(String what) {
        JsonLocation at = parser.currentTokenLocation();
        return new FaultException(Fault.BAD_INPUT, place(at) + what);
    }

    JsonToken token() {
        return parser.currentToken();
    }

    int line() {
        return parser.currentTokenLocation().getLineNr();
    }

    int column() {
        return parser.currentTokenLocation().getColumnNr();
    }

    private @Nullable JsonToken advance() throws FaultException {
        try {
            return parser.nextToken();
        } catch (JsonProcessingException e) {
            throw broken(e);
        } catch (IOException e) {
            throw new FaultException(Fault.IO, name + ": cannot be read: " + e.getMessage(), e);
        }
    }

    private FaultException broken(JsonProcessingException e) {
        JsonLocation at = e.getLocation() == null ? parser.currentLocation() : e.getLocation();
        return new FaultException(Fault.BAD_INPUT, place(at) + Shown.cut(plain(e.getOriginalMessage()), 300), e);
    }

    /** The parser's message without its advice to programmers. */
    private static String plain(String message) {
        String plain = message;
        for (String advice : ADVICE) {
            int at = plain.indexOf(advice);
            plain = at < 0 ? plain : plain.substring(0, at);
        }
        return plain;
    }

    private String place(JsonLocation at) {
        return name + ":" + at.getLineNr() + ":" + Math.max(1, at.getColumnNr()) + ": ";
    }

    private String shown(JsonToken token) throws FaultException {
        return switch (token) {
            case START_OBJECT -> "an object";
            case START_ARRAY -> "a list";
            case END_OBJECT, END_ARRAY -> "the end of the " + (token == JsonToken.END_OBJECT ? "object" : "list");
            case VALUE_STRING -> "\"" + Shown.cut(text(), 80) + "\"";
            default -> Shown.cut(text(), 80);
        };
    }
}
