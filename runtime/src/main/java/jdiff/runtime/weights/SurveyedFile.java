package jdiff.runtime.weights;

import java.nio.file.Path;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.safetensors.SafetensorsFile;
import org.jspecify.annotations.Nullable;

/**
 * One weight file as it was found.
 *
 * @param bytes its length; 0 where there is no such file
 * @param used whether loading would open it
 * @param header its validated header; null if there is a fault
 * @param fault what is wrong with it; null if nothing is
 */
public record SurveyedFile(
        Path path,
        long bytes,
        boolean used,
        @Nullable SafetensorsFile header,
        @Nullable FaultException fault) {
    /** The last part of its path. */
    public String name() {
        return String.valueOf(path.getFileName());
    }
}
