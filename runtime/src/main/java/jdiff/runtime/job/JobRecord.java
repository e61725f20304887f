package jdiff.runtime.job;

import com.fasterxml.jackson.core.JsonToken;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import jdiff.runtime.config.InputFile;
import jdiff.runtime.config.Json;
import jdiff.runtime.config.JsonReader;
import jdiff.runtime.config.Shown;
import jdiff.runtime.fault.FaultException;

/**
 * What {@code .jdiff/job.json} says of the job whose files a folder holds.
 *
 * @param settings name to value, all that tells one job from another, in the order of the file
 * @param baseSeed from which the seeds of its prompts follow
 */
record JobRecord(Map<String, String> settings, long baseSeed) {
    private static final long MAX_BYTES = 1 << 20;
    /** Settings whose values are digests, which tell a reader nothing. */
    static final String MODEL = "model";

    static final String PROMPTS = "prompts";

    private static final int VERSION = 1;

    JobRecord {
        settings = new LinkedHashMap<>(settings);
    }

    JobRecord withBaseSeed(long seed) {
        return new JobRecord(settings, seed);
    }

    boolean isSameJob(JobRecord other) {
        return settings.equals(other.settings);
    }

    /** The first setting in which this job differs from the one in the folder, as text. */
    String difference(JobRecord there) {
        for (var setting : settings.entrySet()) {
            String was = there.settings.getOrDefault(setting.getKey(), "not recorded");
            if (was.equals(setting.getValue())) {
                continue;
            }
            if (setting.getKey().equals(MODEL)) {
                return "it was made with other model files";
            }
            if (setting.getKey().equals(PROMPTS)) {
                return "its prompts were not the same";
            }
            return setting.getKey() + " was " + Shown.cut(was, 100) + " and is now "
                    + Shown.cut(setting.getValue(), 100);
        }
        return "it has settings that this version does not know";
    }

    String toJson() {
        return Json.write(json -> {
            json.writeStartObject();
            json.writeNumberField("version", VERSION);
            json.writeNumberField("seed", baseSeed);
            json.writeObjectFieldStart("settings");
            for (var setting : settings.entrySet()) {
                json.writeStringField(setting.getKey(), setting.getValue());
            }
            json.writeEndObject();
            json.writeEndObject();
        });
    }

    static JobRecord read(Path file) throws FaultException {
        JsonReader json = JsonReader.of(file.toString(), InputFile.text(file, MAX_BYTES));
        json.expect(JsonToken.START_OBJECT, "an object");
        Map<String, String> settings = new LinkedHashMap<>();
        long seed = -1;
        while (json.more()) {
            switch (json.text()) {
                case "seed" -> {
                    json.expect(JsonToken.VALUE_NUMBER_INT, "a seed");
                    seed = seed(json);
                }
                case "settings" -> {
                    json.expect(JsonToken.START_OBJECT, "an object of settings");
                    while (json.more()) {
                        settings.put(json.text(), json.string("a setting"));
                    }
                }
                default -> json.skipNext();
            }
        }
        json.end();
        if (seed < 0) {
            throw json.error("wanted a seed");
        }
        return new JobRecord(settings, seed);
    }

    private static long seed(JsonReader json) throws FaultException {
        try {
            return Long.parseLong(json.text());
        } catch (NumberFormatException e) {
            throw json.error("wanted a seed below 2^63");
        }
    }
}
