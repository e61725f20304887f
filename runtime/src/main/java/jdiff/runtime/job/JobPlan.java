package jdiff.runtime.job;

import com.fasterxml.jackson.core.JsonToken;
import java.nio.file.Path;
import jdiff.runtime.config.Json;
import jdiff.runtime.config.JsonReader;
import jdiff.runtime.fault.FaultException;

/**
 * What rank 0 settles before anything is loaded, and all ranks hold to.
 *
 * @param folder where files go
 * @param baseSeed from which the seeds of the prompts follow
 * @param seedDrawn whether nobody asked for that seed
 * @param fingerprint of the model
 * @param numPrompts usable ones
 * @param numBad prompts that cannot be used
 * @param numPictures of all usable prompts
 * @param numSteps denoising steps of all pictures
 */
public record JobPlan(
        Path folder,
        long baseSeed,
        boolean seedDrawn,
        String fingerprint,
        int numPrompts,
        int numBad,
        long numPictures,
        long numSteps) {
    String toJson() {
        return Json.write(json -> {
            json.writeStartObject();
            json.writeStringField("folder", folder.toString());
            json.writeStringField("fingerprint", fingerprint);
            json.writeNumberField("seed", baseSeed);
            json.writeNumberField("drawn", seedDrawn ? 1 : 0);
            json.writeNumberField("prompts", numPrompts);
            json.writeNumberField("bad", numBad);
            json.writeNumberField("pictures", numPictures);
            json.writeNumberField("steps", numSteps);
            json.writeEndObject();
        });
    }

    static JobPlan parse(String text) throws FaultException {
        JsonReader json = JsonReader.of("the plan of rank 0", text);
        json.expect(JsonToken.START_OBJECT, "an object");
        String folder = "";
        String fingerprint = "";
        long[] numbers = new long[6];
        while (json.more()) {
            String key = json.text();
            switch (key) {
                case "folder" -> folder = json.string(key);
                case "fingerprint" -> fingerprint = json.string(key);
                case "seed" -> numbers[0] = number(json);
                case "drawn" -> numbers[1] = number(json);
                case "prompts" -> numbers[2] = number(json);
                case "bad" -> numbers[3] = number(json);
                case "pictures" -> numbers[4] = number(json);
                case "steps" -> numbers[5] = number(json);
                default -> throw json.error("unknown field " + key + "; do all ranks run the same jdiff?");
            }
        }
        return new JobPlan(
                Path.of(folder),
                numbers[0],
                numbers[1] == 1,
                fingerprint,
                (int) numbers[2],
                (int) numbers[3],
                numbers[4],
                numbers[5]);
    }

    private static long number(JsonReader json) throws FaultException {
        json.expect(JsonToken.VALUE_NUMBER_INT, "a whole number");
        return Long.parseLong(json.text());
    }
}
