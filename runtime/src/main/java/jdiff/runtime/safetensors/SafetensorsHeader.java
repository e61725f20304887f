package jdiff.runtime.safetensors;

import java.util.LinkedHashMap;
import java.util.Map;
import jdiff.runtime.config.Shown;
import jdiff.runtime.safetensors.HeaderFindings.Rule;
import org.jspecify.annotations.Nullable;

/**
 * Parses and validates the JSON text of a header. A header with several faults is reported by the first rule that it breaks,
 * whatever the order in the file.
 */
final class SafetensorsHeader {
    static final int MAX_NAME_BYTES = 4096;
    /** Keys that one entry or the metadata may have; without a bound they could fill the heap. */
    static final int MAX_KEYS = 100_000;
    /** Longer values of the metadata are kept as empty ones. */
    private static final int MAX_VALUE_BYTES = 1 << 20;

    /** Holds the place of an entry that broke a rule, so that a second one of its name is seen. */
    private static final TensorEntry REFUSED = new TensorEntry("", StoredType.U8, new long[0], 0, 0);

    private final HeaderScanner in;
    private final HeaderFindings findings = new HeaderFindings();
    private final TensorEntryReader reader;
    private final Map<String, TensorEntry> entries = new LinkedHashMap<>();
    private final Map<String, String> metadata = new LinkedHashMap<>();
    private int refused;

    private SafetensorsHeader(byte[] json) {
        this.in = new HeaderScanner(json);
        this.reader = new TensorEntryReader(in, findings);
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
        var header = new SafetensorsHeader(json);
        try {
            header.root();
        } catch (HeaderScanner.Broken e) {
            throw new Invalid("header is not valid JSON at byte " + e.offset + ": wanted " + e.getMessage());
        }
        if (header.findings.noneBefore(Rule.COVERAGE)) {
            DataCoverage.check(header.entries.values(), dataStart, fileSize, header.findings);
        }
        header.findings.require();
        header.entries.replaceAll((name, entry) -> entry.movedBy(dataStart));
        return new Parsed(header.entries, header.metadata);
    }

    private void root() throws HeaderScanner.Broken {
        in.open('{');
        int count = 0;
        boolean seenMetadata = false;
        for (boolean first = true; in.more('}', first); first = false) {
            String name = name(in, findings);
            if (name == null) {
                in.skip();
            } else if (name.equals("__metadata__")) {
                if (seenMetadata) {
                    findings.add(Rule.DUPLICATE, () -> "__metadata__ occurs twice in the header");
                }
                seenMetadata = true;
                metadata();
            } else if (count++ >= SafetensorsFile.MAX_TENSORS) {
                in.skip();
            } else {
                tensor(name);
            }
        }
        in.end();
        int tensors = count;
        if (tensors > SafetensorsFile.MAX_TENSORS) {
            findings.add(Rule.LIMIT, () -> tensors + " tensors, above the limit of " + SafetensorsFile.MAX_TENSORS);
        }
    }

    /** The next key; one that is too long is a finding, and null. */
    static @Nullable String name(HeaderScanner in, HeaderFindings findings) throws HeaderScanner.Broken {
        int at = in.offset();
        String name = in.key(MAX_NAME_BYTES);
        if (name == null) {
            findings.add(
                    Rule.LIMIT,
                    () -> "the name at byte " + at + " of the header has " + in.stringBytes()
                            + " bytes, above the limit of " + MAX_NAME_BYTES);
        }
        return name;
    }

    private void tensor(String name) throws HeaderScanner.Broken {
        TensorEntry entry = reader.read(name);
        // Enough of them are remembered; a million that say nothing would take more heap than their header.
        boolean again = (entry == null && refused++ >= MAX_KEYS)
                ? entries.containsKey(name)
                : entries.putIfAbsent(name, entry == null ? REFUSED : entry) != null;
        if (again) {
            findings.add(Rule.DUPLICATE, () -> "tensor " + Shown.cut(name, 200) + " occurs twice in the header");
        }
    }

    private void metadata() throws HeaderScanner.Broken {
        if (in.peek() != '{') {
            findings.add(Rule.METADATA, () -> "__metadata__ is not an object of strings");
            in.skip();
            return;
        }
        in.open('{');
        for (boolean first = true; in.more('}', first); first = false) {
            String key = name(in, findings);
            if (in.peek() != '"') {
                findings.add(
                        Rule.METADATA,
                        () -> "__metadata__: the value of " + (key == null ? "a key" : Shown.cut(key, 80))
                                + " is not a string");
                in.skip();
                continue;
            }
            String value = in.string(MAX_VALUE_BYTES);
            if (key == null) {
                continue;
            }
            if (metadata.size() >= MAX_KEYS) {
                findings.add(Rule.LIMIT, () -> "__metadata__ has more than " + MAX_KEYS + " keys");
            } else if (metadata.put(key, value == null ? "" : value) != null) {
                findings.add(Rule.DUPLICATE, () -> "__metadata__: the key " + Shown.cut(key, 80) + " occurs twice");
            }
        }
    }
}
