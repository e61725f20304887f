package jdiff.runtime.loading;

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

    /** uint8 over the whole file. */
    Tensor of(SafetensorsFile file) throws FaultException {
        Tensor known = files.get(file.path());
        if (known != null) {
            return known;
        }
        try {
            Tensor mapped = scope.hold(() -> Tensor.mapped(file.path(), file.size()));
            files.put(file.path(), mapped);
            return mapped;
        } catch (IllegalStateException e) {
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
