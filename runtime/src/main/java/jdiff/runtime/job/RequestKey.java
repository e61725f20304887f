package jdiff.runtime.job;

import java.util.List;
import jdiff.runtime.config.Digests;
import jdiff.runtime.config.Json;
import jdiff.runtime.pipeline.RequestOption;

/**
 * Names a picture by all that its bytes depend on: SHA-256 over a canonical form of the complete request, dtype, model and format.
 * The order of JSON keys, white space and the layout of ranks do not enter it.
 *
 * @param hex 64 hexadecimal digits
 */
public record RequestKey(String hex) {
    /** Raised when the canonical form changes, so that old and new keys never meet. */
    private static final int VERSION = 1;

    /**
     * The key of a job.
     *
     * @param dtype canonical form of what was asked
     * @param fingerprint of the model, {@link ModelFingerprint}; it covers the configuration of the scheduler
     */
    public static RequestKey of(PromptJob job, String dtype, String fingerprint) {
        return new RequestKey(Digests.sha256(canonical(job, dtype, fingerprint)));
    }

    /** The digits that stand in file names. */
    public String shortHex() {
        return hex.substring(0, 8);
    }

    private static String canonical(PromptJob job, String dtype, String fingerprint) {
        return Json.write(json -> {
            json.writeStartArray();
            json.writeNumber(VERSION);
            json.writeString(job.request().prompt());
            for (var option : job.request().options().entrySet()) {
                json.writeString(option.getKey().key());
                if (option.getKey().kind() == RequestOption.Kind.NUMBERS) {
                    json.writeStartArray();
                    for (Object number : (List<?>) option.getValue()) {
                        json.writeString(exact(number));
                    }
                    json.writeEndArray();
                } else {
                    json.writeString(exact(option.getValue()));
                }
            }
            json.writeString(dtype);
            json.writeString(fingerprint);
            json.writeString(job.outputType().extension());
            json.writeEndArray();
        });
    }

    /** The decimal form of a double differs between releases of the JDK, the hexadecimal one does not. */
    private static String exact(Object value) {
        return value instanceof Double number ? Double.toHexString(number) : String.valueOf(value);
    }
}
