package jdiff.runtime.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import jdiff.runtime.config.JsonValue.Flag;
import jdiff.runtime.config.JsonValue.Items;
import jdiff.runtime.config.JsonValue.Members;
import jdiff.runtime.config.JsonValue.Null;
import jdiff.runtime.config.JsonValue.Num;
import jdiff.runtime.config.JsonValue.Text;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * View of one JSON object of a config file. A key whose value is null counts as absent. Every method without a default wants the
 * key to be there; a value of another type is a {@link FaultException} (BAD_INPUT) naming file, line, key and what was found.
 */
public final class Config {
    private static final Logger LOG = LogManager.getLogger();

    private final String file;
    private final String path;
    private final Map<String, JsonValue> values;

    private Config(String file, String path, Map<String, JsonValue> values) {
        this.file = file;
        this.path = path;
        this.values = values;
    }

    /** Reads a config file: at most 16 MiB, nesting of at most 64, no duplicate keys; a missing file is NO_INPUT. */
    public static Config read(Path file) throws FaultException {
        return of(file.toString(), JsonValue.read(JsonReader.open(file, JsonReader.SMALL)));
    }

    /** Reads {@code text}; {@code name} stands for the file in errors. */
    public static Config parse(String name, String text) throws FaultException {
        return of(name, JsonValue.read(JsonReader.of(name, text)));
    }

    private static Config of(String file, JsonValue root) throws FaultException {
        if (root instanceof Members members) {
            return new Config(file, "", members.values());
        }
        throw new FaultException(
                Fault.BAD_INPUT,
                file + ":" + root.line() + ":" + root.column() + ": wanted an object, found " + root.shown());
    }

    /** The file that this view belongs to, for messages. */
    public String file() {
        return file;
    }

    /** Whether the key stands there with a value other than null. */
    public boolean has(String key) {
        return find(key) != null;
    }

    /** All keys in the order of the file, those with null too. */
    public Set<String> keys() {
        return values.keySet();
    }

    public String string(String key) throws FaultException {
        JsonValue value = require(key);
        if (value instanceof Text text) {
            return text.value();
        }
        throw wrong(key, value, "a string");
    }

    public String string(String key, String fallback) throws FaultException {
        return has(key) ? string(key) : fallback;
    }

    public boolean flag(String key) throws FaultException {
        JsonValue value = require(key);
        if (value instanceof Flag flag) {
            return flag.value();
        }
        throw wrong(key, value, "true or false");
    }

    public boolean flag(String key, boolean fallback) throws FaultException {
        return has(key) ? flag(key) : fallback;
    }

    public int integer(String key) throws FaultException {
        return integer(key, require(key));
    }

    public int integer(String key, int fallback) throws FaultException {
        return has(key) ? integer(key) : fallback;
    }

    public double number(String key) throws FaultException {
        return number(key, require(key));
    }

    public double number(String key, double fallback) throws FaultException {
        return has(key) ? number(key) : fallback;
    }

    /** A whole number of {@code 1..max}. */
    public int positive(String key, int max) throws FaultException {
        int value = integer(key);
        if (value < 1 || value > max) {
            throw wrong(key, require(key), "a whole number from 1 to " + max);
        }
        return value;
    }

    /** A whole number of {@code 1..max}, or {@code fallback}. */
    public int positive(String key, int fallback, int max) throws FaultException {
        return has(key) ? positive(key, max) : fallback;
    }

    /** A number above 0 and at most {@code max}, or {@code fallback}. */
    public double positiveNumber(String key, double fallback, double max) throws FaultException {
        double value = number(key, fallback);
        if (has(key) && !(value > 0 && value <= max)) {
            throw wrong(key, require(key), "a number above 0, at most " + max);
        }
        return value;
    }

    public int[] integers(String key) throws FaultException {
        List<JsonValue> items = items(key, "a list of whole numbers");
        int[] out = new int[items.size()];
        for (int i = 0; i < out.length; i++) {
            out[i] = integer(key + "[" + i + "]", items.get(i));
        }
        return out;
    }

    public int[] integers(String key, int... fallback) throws FaultException {
        return has(key) ? integers(key) : fallback.clone();
    }

    public double[] numbers(String key) throws FaultException {
        List<JsonValue> items = items(key, "a list of numbers");
        double[] out = new double[items.size()];
        for (int i = 0; i < out.length; i++) {
            out[i] = number(key + "[" + i + "]", items.get(i));
        }
        return out;
    }

    public double[] numbers(String key, double... fallback) throws FaultException {
        return has(key) ? numbers(key) : fallback.clone();
    }

    public List<String> strings(String key) throws FaultException {
        var out = new ArrayList<String>();
        for (JsonValue item : items(key, "a list of strings")) {
            if (!(item instanceof Text text)) {
                throw wrong(key + "[" + out.size() + "]", item, "a string");
            }
            out.add(text.value());
        }
        return out;
    }

    public boolean[] flags(String key) throws FaultException {
        List<JsonValue> items = items(key, "a list of true and false");
        boolean[] out = new boolean[items.size()];
        for (int i = 0; i < out.length; i++) {
            if (!(items.get(i) instanceof Flag flag)) {
                throw wrong(key + "[" + i + "]", items.get(i), "true or false");
            }
            out[i] = flag.value();
        }
        return out;
    }

    public Config object(String key) throws FaultException {
        JsonValue value = require(key);
        if (value instanceof Members members) {
            return new Config(file, path + key + ".", members.values());
        }
        throw wrong(key, value, "an object");
    }

    /** Whether the value is an object; false where the key is absent. */
    public boolean isObject(String key) {
        return find(key) instanceof Members;
    }

    /**
     * A component of {@code model_index.json}: its {@code [library, class]}, or null where it is absent, null or
     * {@code [null, null]}.
     */
    public @Nullable Component component(String key) throws FaultException {
        JsonValue value = find(key);
        if (value == null) {
            return null;
        }
        if (value instanceof Items items && items.values().size() == 2) {
            JsonValue library = items.values().get(0);
            JsonValue name = items.values().get(1);
            if (library instanceof Text l && name instanceof Text n) {
                return new Component(l.value(), n.value());
            }
            if (library instanceof Null && name instanceof Null) {
                return null;
            }
        }
        throw wrong(key, value, "[library, class] or [null, null]");
    }

    /** The library and class that a component was saved with. */
    public record Component(String library, String className) {}

    /**
     * Values that this program knows how to honour: where {@code key} is present, it must equal one of {@code allowed} (strings,
     * booleans, numbers, lists of these).
     */
    public void requireValue(String key, Object... allowed) throws FaultException {
        JsonValue value = find(key);
        if (value == null) {
            return;
        }
        for (Object one : allowed) {
            if (equal(value, one)) {
                return;
            }
        }
        throw wrong(
                key, value, allowed.length == 1 ? "" + allowed[0] : "one of " + List.of(allowed), "supported here: ");
    }

    /** Warns once about keys outside {@code known}; keys that begin with an underscore are bookkeeping of other programs. */
    public void requireKnown(Set<String> known) {
        var unknown = new TreeSet<String>();
        for (String key : values.keySet()) {
            if (!key.startsWith("_") && !known.contains(key)) {
                unknown.add(path + key);
            }
        }
        if (!unknown.isEmpty()) {
            LOG.warn("{}: unknown keys are ignored: {}", file, Shown.cut(String.join(", ", unknown), 500));
        }
    }

    /** An error about {@code key} as a whole, for checks that span several keys. */
    public FaultException error(String key, String what) {
        JsonValue value = find(key);
        return new FaultException(Fault.BAD_INPUT, place(value) + path + key + ": " + what);
    }

    private @Nullable JsonValue find(String key) {
        JsonValue value = values.get(key);
        return value instanceof Null ? null : value;
    }

    private JsonValue require(String key) throws FaultException {
        JsonValue value = find(key);
        if (value == null) {
            throw new FaultException(Fault.BAD_INPUT, file + ": the key " + path + key + " is missing");
        }
        return value;
    }

    private List<JsonValue> items(String key, String wanted) throws FaultException {
        JsonValue value = require(key);
        if (value instanceof Items items) {
            return items.values();
        }
        throw wrong(key, value, wanted);
    }

    private int integer(String key, JsonValue value) throws FaultException {
        if (value instanceof Num num && num.literal().length() <= 11) {
            try {
                return Integer.parseInt(num.literal());
            } catch (NumberFormatException e) {
                throw wrong(key, value, "a whole number");
            }
        }
        throw wrong(key, value, "a whole number");
    }

    private double number(String key, JsonValue value) throws FaultException {
        if (value instanceof Num num) {
            double number = Double.parseDouble(num.literal());
            if (Double.isFinite(number)) {
                return number;
            }
        }
        throw wrong(key, value, "a finite number");
    }

    private static boolean equal(JsonValue value, Object wanted) {
        if (value instanceof Text text) {
            return text.value().equals(wanted);
        }
        if (value instanceof Flag flag) {
            return wanted.equals(flag.value());
        }
        if (value instanceof Num num) {
            return wanted instanceof Number n && Double.parseDouble(num.literal()) == n.doubleValue();
        }
        if (value instanceof Items items
                && wanted instanceof List<?> list
                && list.size() == items.values().size()) {
            for (int i = 0; i < list.size(); i++) {
                if (!equal(items.values().get(i), list.get(i))) {
                    return false;
                }
            }
            return true;
        }
        return false;
    }

    private FaultException wrong(String key, JsonValue found, String wanted) {
        return wrong(key, found, wanted, "wanted ");
    }

    private FaultException wrong(String key, JsonValue found, String wanted, String verb) {
        return new FaultException(
                Fault.BAD_INPUT, place(found) + path + key + ": " + verb + wanted + ", found " + found.shown());
    }

    private String place(@Nullable JsonValue value) {
        return value == null ? file + ": " : file + ":" + value.line() + ":" + value.column() + ": ";
    }
}
