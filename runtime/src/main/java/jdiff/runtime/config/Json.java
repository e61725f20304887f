package jdiff.runtime.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/** The one JSON factory of the runtime, with its limits, and a way to write small documents. */
public final class Json {
    /** Deepest nesting of objects and arrays that is read. */
    static final int MAX_DEPTH = 64;

    static final JsonFactory FACTORY = new JsonFactoryBuilder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            // Names come from files of strangers; they are not worth a process-wide symbol table.
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxStringLength(64 << 20)
                    .maxNameLength(1 << 16)
                    .maxNumberLength(1000)
                    .build())
            .build();

    private Json() {}

    /** Writes one document. */
    @FunctionalInterface
    public interface Body {
        void write(JsonGenerator generator) throws IOException;
    }

    /** The document that {@code body} writes, on one line. */
    public static String write(Body body) {
        var out = new StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(out)) {
            body.write(generator);
        } catch (IOException e) {
            throw new UncheckedIOException("a string writer does not fail", e);
        }
        return out.toString();
    }
}
