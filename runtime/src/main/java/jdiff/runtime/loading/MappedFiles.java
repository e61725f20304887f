package jdiff.runtime.loading;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.safetensors.SafetensorsFile;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/** Files mapped once each; the tensors on them keep a mapping alive after this is closed. */
final class MappedFiles implements AutoCloseable {
    private static final Logger LOG = LogManager.getLogger();

    private final boolean required;
    private final Scope scope = Scope.keep();
    private final Map<Path, Optional<Tensor>> files = new HashMap<>();

    /** @param required whether a file that cannot be mapped is an error */
    MappedFiles(boolean required) {
        this.required = required;
    }

    /**
     * uint8 over the whole file; null if it cannot be mapped, as where the system lets nobody promise more memory than it has.
     *
     * @throws FaultException BAD_INPUT if it is shorter than its header said; IO if it cannot be mapped and must be
     */
    @Nullable Tensor of(SafetensorsFile file) throws FaultException {
        Optional<Tensor> known = files.get(file.path());
        if (known == null) {
            known = Optional.ofNullable(map(file));
            files.put(file.path(), known);
        }
        return known.orElse(null);
    }

    private @Nullable Tensor map(SafetensorsFile file) throws FaultException {
        try {
            long end = Files.size(file.path());
            if (end < file.size()) {
                throw OpenFile.shrank(file.path(), 0, file.size(), end);
            }
            return scope.hold(() -> Tensor.mapped(file.path(), file.size()));
        } catch (FaultException e) {
            throw e;
        } catch (IOException | IllegalStateException e) {
            String what = file.path() + ": cannot be mapped: " + e.getMessage();
            if (required) {
                throw new FaultException(Fault.IO, what + "; --weights-io read does without", e);
            }
            LOG.info("{}; it is read", what);
            return null;
        }
    }

    @Override
    public void close() {
        scope.close();
    }
}
