package jdiff.runtime.safetensors;

import java.util.Arrays;
import java.util.HashSet;
import jdiff.runtime.config.Shown;
import jdiff.runtime.safetensors.HeaderFindings.Rule;
import org.jspecify.annotations.Nullable;

/** Reads and checks what a header says of one tensor: {@code {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}. */
final class TensorEntryReader {
    private static final int MAX_RANK = 64;

    private final HeaderScanner in;
    private final HeaderFindings findings;

    TensorEntryReader(HeaderScanner in, HeaderFindings findings) {
        this.in = in;
        this.findings = findings;
    }

    /** The tensor, its begin counted from the start of the data; null if it breaks a rule, which is a finding then. */
    @Nullable TensorEntry read(String name) throws HeaderScanner.Broken {
        if (in.peek() != '{') {
            findings.add(Rule.ENTRY, () -> shown(name) + "wanted an object with dtype, shape and data_offsets");
            in.skip();
            return null;
        }
        String dtype = null;
        long[] shape = null;
        long[] offsets = null;
        var keys = new HashSet<String>();
        in.open('{');
        for (boolean first = true; in.more('}', first); first = false) {
            String key = SafetensorsHeader.name(in, findings);
            if (key != null && keys.size() >= SafetensorsHeader.MAX_KEYS) {
                findings.add(Rule.LIMIT, () -> shown(name) + "more than " + SafetensorsHeader.MAX_KEYS + " keys");
            } else if (key != null && !keys.add(key)) {
                findings.add(Rule.DUPLICATE, () -> shown(name) + "the key " + Shown.cut(key, 80) + " occurs twice");
            }
            switch (key == null ? "" : key) {
                case "dtype" -> dtype = string();
                case "shape" -> shape = integers(name, "shape");
                case "data_offsets" -> offsets = integers(name, "data_offsets");
                default -> in.skip();
            }
        }
        String missing = missing(dtype, shape, offsets);
        if (missing != null || dtype == null || shape == null || offsets == null) {
            findings.add(Rule.ENTRY, () -> shown(name) + missing);
            return null;
        }
        return entry(name, dtype, shape, offsets);
    }

    private static @Nullable String missing(
            @Nullable String dtype, long @Nullable [] shape, long @Nullable [] offsets) {
        if (dtype == null) {
            return "dtype is missing or not a string";
        }
        if (shape == null) {
            return "shape is missing or not a list";
        }
        if (offsets == null) {
            return "data_offsets is missing or not a list";
        }
        return offsets.length == 2 ? null : "data_offsets has " + offsets.length + " numbers, wanted 2";
    }

    private @Nullable TensorEntry entry(String name, String dtype, long[] shape, long[] offsets) {
        StoredType type = StoredType.named(dtype);
        if (type == null) {
            findings.add(
                    Rule.TYPE,
                    () -> shown(name) + "unknown dtype \"" + Shown.cut(dtype, 80) + "\"; known are "
                            + Arrays.toString(StoredType.values()));
            return null;
        }
        long bits;
        try {
            bits = Arrays.stream(shape).reduce(type.bits(), Math::multiplyExact);
        } catch (ArithmeticException e) {
            findings.add(Rule.ARITHMETIC, () -> shown(name, type, shape) + "overflows");
            return null;
        }
        if (bits % 8 != 0) {
            findings.add(Rule.ARITHMETIC, () -> shown(name, type, shape) + "is " + bits + " bits, not whole bytes");
            return null;
        }
        long wanted = bits / 8;
        long bytes = offsets[1] - offsets[0];
        if (bytes != wanted) {
            findings.add(
                    Rule.BYTES,
                    () -> shown(name, type, shape) + "needs " + wanted + " bytes, data_offsets "
                            + Arrays.toString(offsets) + " give " + bytes);
            return null;
        }
        return new TensorEntry(name, type, shape, offsets[0], bytes);
    }

    private static String shown(String name) {
        return "tensor " + Shown.cut(name, 200) + ": ";
    }

    private static String shown(String name, StoredType type, long[] shape) {
        return shown(name) + "shape " + Arrays.toString(shape) + " of " + type + " ";
    }

    /** The next value if it is a string, else null. */
    private @Nullable String string() throws HeaderScanner.Broken {
        if (in.peek() != '"') {
            in.skip();
            return null;
        }
        String string = in.string(SafetensorsHeader.MAX_NAME_BYTES);
        return string == null ? "text of " + in.stringBytes() + " bytes" : string;
    }

    /** The integers of the next value if it is a list, else null. */
    private long @Nullable [] integers(String name, String key) throws HeaderScanner.Broken {
        if (in.peek() != '[') {
            in.skip();
            return null;
        }
        long[] out = new long[4];
        int n = 0;
        in.open('[');
        for (boolean first = true; in.more(']', first); first = false) {
            int sign = in.peek();
            long value = 0;
            if (sign == '-' || (sign >= '0' && sign <= '9')) {
                value = in.number();
                if (value < 0) {
                    findings.add(
                            Rule.INTEGER,
                            () -> shown(name) + key + " holds " + Shown.cut(in.literal(), 40)
                                    + ", wanted a whole number from 0 to 2^63-1 without sign, fraction or exponent");
                }
            } else {
                findings.add(Rule.INTEGER, () -> shown(name) + key + " holds something that is not a number");
                in.skip();
            }
            if (n == out.length && n < MAX_RANK) {
                out = Arrays.copyOf(out, n * 2);
            }
            if (n < MAX_RANK) {
                out[n] = value;
            }
            n++;
        }
        int rank = n;
        if (rank > MAX_RANK) {
            findings.add(
                    Rule.LIMIT, () -> shown(name) + key + " has " + rank + " numbers, above the limit of " + MAX_RANK);
        }
        return Arrays.copyOf(out, Math.min(rank, MAX_RANK));
    }
}
