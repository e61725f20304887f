package jdiff.runtime.loading;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jdiff.runtime.safetensors.SafetensorsFile;
import jdiff.runtime.safetensors.SafetensorsWriter;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Rng;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;

/** Random tensors that tests of loading write into a file, and the transfers that bring them back whole. */
final class StoredTensors implements AutoCloseable {
    final Scope scope = Scope.keep();
    private final Path dir;
    private final Map<String, Tensor> tensors = new LinkedHashMap<>();

    StoredTensors(Path dir) {
        this.dir = dir;
    }

    Tensor get(String name) {
        return tensors.get(name);
    }

    void put(String name, DType dtype, long... shape) {
        try (Rng rng = new Rng(tensors.size())) {
            tensors.put(
                    name,
                    scope.hold(() -> dtype.isFloating()
                            ? rng.randn(DType.F32, shape).to(dtype)
                            : rng.randn(DType.F32, shape).mul(100).to(dtype)));
        }
    }

    /** Forgets all tensors: what is put from now on goes to another file. */
    void clear() {
        tensors.clear();
    }

    SafetensorsFile write() throws IOException {
        Path path = dir.resolve(tensors.hashCode() + ".safetensors");
        try (OutputStream out = Files.newOutputStream(path)) {
            SafetensorsWriter.write(out, tensors, Map.of());
        }
        return SafetensorsFile.open(path);
    }

    /** Of all tensors of a file; {@code floating} is the dtype in memory of floating ones, null for their own. */
    static List<Transfer> transfers(SafetensorsFile file, DType floating) {
        return file.entries().values().stream()
                .map(entry -> {
                    DType own = entry.type().dtype();
                    return new Transfer(
                            entry.name(),
                            file,
                            entry,
                            List.of(Slice.of(entry.begin(), 0, entry.numel())),
                            floating == null || !own.isFloating() ? own : floating,
                            Device.CPU,
                            entry.shape());
                })
                .toList();
    }

    @Override
    public void close() {
        scope.close();
    }
}
