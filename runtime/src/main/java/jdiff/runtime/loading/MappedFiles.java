package jdiff.runtime.loading;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.safetensors.SafetensorsFile;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;

/** Files mapped once each; the tensors on them keep a mapping alive after this is closed. */
final class MappedFiles implements AutoCloseable {
    private final Scope scope = Scope.keep();
    private final Map<Path, Tensor> files = new HashMap<>();

    /**
     * uint8 over the whole file.
     *
     * @throws FaultException BAD_INPUT if it is shorter than its header said; IO if it cannot be mapped
     */
    Tensor of(SafetensorsFile file) throws FaultException {
        Tensor known = files.get(file.path());
        if (known != null) {
            return known;
        }
        try {
            long end = Files.size(file.path());
            if (end < file.size()) {
                throw OpenFile.shrank(file.path(), 0, file.size(), end);
            }
            Tensor mapped = scope.hold(() -> Tensor.mapped(file.path(), file.size()));
            files.put(file.path(), mapped);
            return mapped;
        } catch (FaultException e) {
            throw e;
        } catch (IOException | IllegalStateException e) {
            throw new FaultException(
                    Fault.IO,
                    file.path() + ": cannot be mapped: " + e.getMessage() + "; --weights-io read does without",
                    e);
        }
    }

    @Override
    public void close() {
        scope.close();
    }
}
