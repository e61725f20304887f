package jdiff.runtime.safetensors;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import jdiff.runtime.config.Shown;
import org.jspecify.annotations.Nullable;

/**
 * Parses and validates the JSON text of a header. Findings are ranked by rule: a header with several faults is reported by the
 * first rule it breaks, whatever the order in the file.
 */
final class SafetensorsHeader {
    private static final int MAX_TENSORS = SafetensorsFile.MAX_TENSORS;
    private static final int MAX_NAME_BYTES = 4096;
    private static final int MAX_RANK = 64;
    /** Keys that one entry or the metadata may have; without a bound they could fill the heap. */
    private static final int MAX_KEYS = 100_000;

    // Ranks of the rules, the lowest is reported; encoding and size were checked by the caller.
    private static final int DUPLICATE = 7;
    private static final int LIMIT = 8;
    private static final int ENTRY = 9;
    private static final int INTEGER = 10;
    private static final int TYPE = 11;
    private static final int ARITHMETIC = 12;
    private static final int BYTES = 13;
    private static final int COVERAGE = 14;
    private static final int END = 15;
    private static final int METADATA = 16;

    /** Holds the place of an entry that broke a rule, so that a second one of its name is seen. */
    private static final TensorEntry REFUSED = new TensorEntry("", StoredType.U8, new long[0], 0, 0);

    private final HeaderScanner in;
    private final long dataStart;
    private final Map<String, TensorEntry> entries = new LinkedHashMap<>();
    private final Map<String, String> metadata = new LinkedHashMap<>();
    private int worstRank = Integer.MAX_VALUE;
    private @Nullable String worst;

    private SafetensorsHeader(byte[] json, long dataStart) {
        this.in = new HeaderScanner(json);
        this.dataStart = dataStart;
    }

    /** A header that passed: tensors in the order of the header, and the metadata. */
    record Parsed(Map<String, TensorEntry> entries, Map<String, String> metadata) {}

    /** A broken rule, without the name of the file. */
    static final class Invalid extends Exception {
        Invalid(String message) {
            super(message, null, false, false);
        }
    }

    /** @param dataStart offset of the first data byte in the file, {@code 8 + N} */
    static Parsed parse(byte[] json, long dataStart, long fileSize) throws Invalid {
        var header = new SafetensorsHeader(json, dataStart);
        try {
            header.root();
        } catch (HeaderScanner.Broken e) {
            throw new Invalid("header is not valid JSON at byte " + e.offset + ": wanted " + e.getMessage());
        }
        if (header.worstRank > COVERAGE) {
            header.checkCoverage(fileSize);
        }
        if (header.worst != null) {
            throw new Invalid(header.worst);
        }
        return new Parsed(header.entries, header.metadata);
    }

    private void found(int rank, String message) {
        if (rank < worstRank) {
            worstRank = rank;
            worst = message;
        }
    }

    private void root() throws HeaderScanner.Broken {
        in.open('{');
        int count = 0;
        boolean seenMetadata = false;
        for (boolean first = true; in.more('}', first); first = false) {
            String name = in.key();
            if (name.equals("__metadata__")) {
                if (seenMetadata) {
                    found(DUPLICATE, "__metadata__ occurs twice in the header");
                }
                seenMetadata = true;
                metadata();
            } else if (count >= MAX_TENSORS) {
                found(LIMIT, "more than " + MAX_TENSORS + " tensors");
                in.skip();
            } else {
                count++;
                tensor(name);
            }
        }
        in.end();
    }

    private void tensor(String name) throws HeaderScanner.Broken {
        if (name.length() > MAX_NAME_BYTES / 3 && name.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES) {
            found(
                    LIMIT,
                    "the name " + Shown.cut(name, 80) + " has " + name.getBytes(StandardCharsets.UTF_8).length
                            + " bytes, above the limit of " + MAX_NAME_BYTES);
            in.skip();
            return;
        }
        String shown = Shown.cut(name, 200);
        if (in.peek() != '{') {
            found(ENTRY, "tensor " + shown + ": wanted an object with dtype, shape and data_offsets");
            in.skip();
            return;
        }
        String dtype = null;
        long[] shape = null;
        long[] offsets = null;
        boolean seenDtype = false;
        boolean seenShape = false;
        boolean seenOffsets = false;
        Set<String> others = null;
        in.open('{');
        for (boolean first = true; in.more('}', first); first = false) {
            String key = in.key();
            boolean again = false;
            switch (key) {
                case "dtype" -> {
                    again = seenDtype;
                    seenDtype = true;
                    if (in.peek() == '"') {
                        dtype = in.string();
                    } else {
                        in.skip();
                    }
                }
                case "shape" -> {
                    again = seenShape;
                    seenShape = true;
                    shape = integers(shown, key);
                }
                case "data_offsets" -> {
                    again = seenOffsets;
                    seenOffsets = true;
                    offsets = integers(shown, key);
                }
                default -> {
                    others = others == null ? new HashSet<>() : others;
                    if (others.size() >= MAX_KEYS) {
                        found(LIMIT, "tensor " + shown + ": more than " + MAX_KEYS + " keys");
                    } else {
                        again = !others.add(key);
                    }
                    in.skip();
                }
            }
            if (again) {
                found(DUPLICATE, "tensor " + shown + ": the key " + Shown.cut(key, 80) + " occurs twice");
            }
        }
        if (entries.putIfAbsent(name, REFUSED) != null) {
            found(DUPLICATE, "tensor " + shown + " occurs twice in the header");
            return;
        }
        String missing = missing(dtype, shape, offsets);
        if (missing != null) {
            found(ENTRY, "tensor " + shown + ": " + missing);
        } else if (dtype != null && shape != null && offsets != null) {
            check(name, shown, dtype, shape, offsets);
        }
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

    private void check(String name, String shown, String dtype, long[] shape, long[] offsets) {
        StoredType type = StoredType.named(dtype);
        if (type == null) {
            found(
                    TYPE,
                    "tensor " + shown + ": unknown dtype \"" + Shown.cut(dtype, 80) + "\"; known are "
                            + Arrays.toString(StoredType.values()));
            return;
        }
        long bits;
        try {
            bits = type.bits();
            for (long size : shape) {
                bits = Math.multiplyExact(bits, size);
            }
        } catch (ArithmeticException e) {
            found(ARITHMETIC, "tensor " + shown + ": shape " + Arrays.toString(shape) + " of " + type + " overflows");
            return;
        }
        if (bits % 8 != 0) {
            found(
                    ARITHMETIC,
                    "tensor " + shown + ": shape " + Arrays.toString(shape) + " of " + type + " is " + bits
                            + " bits, not whole bytes");
            return;
        }
        long bytes = offsets[1] - offsets[0];
        if (bytes != bits / 8) {
            found(
                    BYTES,
                    "tensor " + shown + ": shape " + Arrays.toString(shape) + " of " + type + " needs " + bits / 8
                            + " bytes, data_offsets " + Arrays.toString(offsets) + " give " + bytes);
            return;
        }
        entries.put(name, new TensorEntry(name, type, shape, offsets[0], bytes));
    }

    /** The integers of a list; null if it is no list. */
    private long @Nullable [] integers(String tensor, String key) throws HeaderScanner.Broken {
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
                String literal = in.number();
                value = plain(literal);
                if (value < 0) {
                    found(
                            INTEGER,
                            "tensor " + tensor + ": " + key + " holds " + Shown.cut(literal, 40)
                                    + ", wanted a whole number from 0 to 2^63-1 without sign, fraction or exponent");
                }
            } else {
                found(INTEGER, "tensor " + tensor + ": " + key + " holds something that is not a number");
                in.skip();
            }
            if (n == MAX_RANK) {
                found(LIMIT, "tensor " + tensor + ": " + key + " has more than " + MAX_RANK + " numbers");
                continue;
            }
            if (n == out.length) {
                out = Arrays.copyOf(out, n * 2);
            }
            out[n++] = value;
        }
        return Arrays.copyOf(out, n);
    }

    /** The value of a literal of digits only; -1 if it is anything else or 2^63 and more. */
    private static long plain(String literal) {
        long value = 0;
        for (int i = 0; i < literal.length(); i++) {
            int digit = literal.charAt(i) - '0';
            if (digit < 0 || digit > 9 || value > (Long.MAX_VALUE - digit) / 10) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }

    private void metadata() throws HeaderScanner.Broken {
        if (in.peek() != '{') {
            found(METADATA, "__metadata__ is not an object of strings");
            in.skip();
            return;
        }
        in.open('{');
        for (boolean first = true; in.more('}', first); first = false) {
            String key = in.key();
            if (in.peek() != '"') {
                found(METADATA, "__metadata__: the value of " + Shown.cut(key, 80) + " is not a string");
                in.skip();
            } else if (metadata.size() >= MAX_KEYS) {
                found(LIMIT, "__metadata__ has more than " + MAX_KEYS + " keys");
                in.skip();
            } else if (metadata.put(key, in.string()) != null) {
                found(DUPLICATE, "__metadata__: the key " + Shown.cut(key, 80) + " occurs twice");
            }
        }
    }

    /** The data must be covered exactly: sorted by begin, each tensor starts where the one before ends. */
    private void checkCoverage(long fileSize) {
        TensorEntry[] sorted = entries.values().toArray(new TensorEntry[0]);
        Arrays.sort(sorted, (a, b) -> {
            int order = Long.compare(a.begin(), b.begin());
            return order != 0 ? order : Long.compare(a.bytes(), b.bytes());
        });
        long end = 0;
        TensorEntry before = null;
        for (TensorEntry entry : sorted) {
            if (entry.begin() != end) {
                String first = before == null ? "the start of the data" : "tensor " + Shown.cut(before.name(), 200);
                String second = "tensor " + Shown.cut(entry.name(), 200);
                found(
                        COVERAGE,
                        entry.begin() > end
                                ? "bytes " + end + ".." + entry.begin() + " of the data, between " + first + " and "
                                        + second + ", belong to no tensor"
                                : second + " begins at byte " + entry.begin() + " of the data, inside " + first
                                        + " which ends at " + end + ": they overlap");
                return;
            }
            end += entry.bytes();
            before = entry;
        }
        long expected = dataStart + end;
        if (expected < 0 || expected != fileSize) {
            found(
                    END,
                    "the header describes a file of " + expected + " bytes, found " + fileSize + ": "
                            + Math.abs(expected - fileSize)
                            + (expected > fileSize
                                    ? " bytes missing (truncated or incomplete download)"
                                    : " bytes too many"));
            return;
        }
        entries.replaceAll((name, e) -> e.movedBy(dataStart));
    }
}
