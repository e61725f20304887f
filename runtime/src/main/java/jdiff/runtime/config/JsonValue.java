package jdiff.runtime.config;

import com.fasterxml.jackson.core.JsonToken;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jdiff.runtime.fault.FaultException;

/** A value with the place where it stands. Numbers keep their literal, so that 2.0 is not mistaken for a whole number. */
sealed interface JsonValue {
    /** Bounds the heap that a file of many tiny values can take. */
    int MAX_VALUES = 1_000_000;

    int line();

    int column();

    /** The value as it may stand in a message. */
    String shown();

    record Text(String value, int line, int column) implements JsonValue {
        @Override
        public String shown() {
            return "\"" + Shown.cut(value, 80) + "\"";
        }
    }

    record Num(String literal, int line, int column) implements JsonValue {
        @Override
        public String shown() {
            return Shown.cut(literal, 40);
        }
    }

    record Flag(boolean value, int line, int column) implements JsonValue {
        @Override
        public String shown() {
            return Boolean.toString(value);
        }
    }

    record Null(int line, int column) implements JsonValue {
        @Override
        public String shown() {
            return "null";
        }
    }

    record Items(List<JsonValue> values, int line, int column) implements JsonValue {
        @Override
        public String shown() {
            return "a list of " + values.size();
        }
    }

    record Members(Map<String, JsonValue> values, int line, int column) implements JsonValue {
        @Override
        public String shown() {
            return "an object";
        }
    }

    /** The whole document. */
    static JsonValue read(JsonReader in) throws FaultException {
        in.next();
        JsonValue value = current(in, new int[1]);
        in.end();
        return value;
    }

    private static JsonValue current(JsonReader in, int[] count) throws FaultException {
        if (++count[0] > MAX_VALUES) {
            throw in.error("more than " + MAX_VALUES + " values in one file");
        }
        int line = in.line();
        int column = in.column();
        JsonToken token = in.token();
        switch (token) {
            case START_OBJECT -> {
                var members = new LinkedHashMap<String, JsonValue>();
                while (in.more()) {
                    String key = in.text();
                    in.next();
                    members.put(key, current(in, count));
                }
                return new Members(members, line, column);
            }
            case START_ARRAY -> {
                var items = new ArrayList<JsonValue>();
                while (in.more()) {
                    items.add(current(in, count));
                }
                return new Items(items, line, column);
            }
            case VALUE_STRING -> {
                return new Text(in.text(), line, column);
            }
            case VALUE_TRUE, VALUE_FALSE -> {
                return new Flag(token == JsonToken.VALUE_TRUE, line, column);
            }
            case VALUE_NULL -> {
                return new Null(line, column);
            }
            default -> {
                return new Num(in.text(), line, column);
            }
        }
    }
}
