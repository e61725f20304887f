package jdiff.runtime.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import org.jspecify.annotations.Nullable;

/**
 * A model folder or one component folder of it. Its files are regular files whose real path lies in the model folder or, for a
 * snapshot of a hub cache, in the blobs of the same cache entry; nothing else is opened.
 */
public final class ModelFolder {
    private final Path path;
    private final Path realRoot;
    private final @Nullable Path realBlobs;

    private ModelFolder(Path path, Path realRoot, @Nullable Path realBlobs) {
        this.path = path;
        this.realRoot = realRoot;
        this.realBlobs = realBlobs;
    }

    /**
     * Opens what the user named: a folder, or a hub id {@code owner/name} in the local hub cache.
     *
     * @throws FaultException NO_INPUT naming the places searched, if neither is there
     */
    public static ModelFolder open(String model) throws FaultException {
        Path path = Path.of(model);
        if (Files.isDirectory(path)) {
            return open(path);
        }
        if (!Files.exists(path) && HubCache.isId(model)) {
            return open(HubCache.resolve(model));
        }
        throw new FaultException(
                Fault.NO_INPUT,
                "model " + Shown.cut(model, 300) + ": "
                        + (Files.exists(path)
                                ? "is a file, wanted a model folder with model_index.json"
                                : "no such folder; wanted a model folder or a hub id owner/name"));
    }

    /** Opens a folder that exists. */
    public static ModelFolder open(Path folder) throws FaultException {
        try {
            Path real = folder.toRealPath();
            Path parent = real.getParent();
            Path blobs = null;
            if (parent != null && parent.endsWith("snapshots")) {
                Path candidate = parent.resolveSibling("blobs");
                blobs = Files.isDirectory(candidate) ? candidate.toRealPath() : null;
            }
            return new ModelFolder(folder, real, blobs);
        } catch (IOException e) {
            throw new FaultException(Fault.NO_INPUT, folder + ": no such folder", e);
        }
    }

    public Path path() {
        return path;
    }

    /** The folder of a component; it must exist. */
    public ModelFolder sub(String component) throws FaultException {
        requirePlain(component);
        Path folder = path.resolve(component);
        if (!Files.isDirectory(folder)) {
            throw new FaultException(
                    Fault.NO_INPUT,
                    Files.isSymbolicLink(folder)
                            ? "component folder " + folder + " is a link to a folder that does not exist"
                            : "component folder " + folder + " is missing; " + path + " holds " + holds());
        }
        return new ModelFolder(folder, realRoot, realBlobs);
    }

    public boolean has(String name) {
        return PlainName.isPlain(name) && Files.exists(path.resolve(name));
    }

    /** The file {@code name} of this folder, to be opened by the caller. */
    public Path file(String name) throws FaultException {
        requirePlain(name);
        Path file = path.resolve(name);
        InputFile.attributes(file);
        Path real;
        try {
            real = file.toRealPath();
        } catch (IOException e) {
            throw new FaultException(Fault.NO_INPUT, file + ": no such file", e);
        }
        if (real.startsWith(realRoot) || (realBlobs != null && real.startsWith(realBlobs))) {
            return file;
        }
        throw new FaultException(
                Fault.BAD_INPUT,
                file + ": links to " + real + ", outside the model folder " + realRoot
                        + "; copy the file into the folder if you trust it");
    }

    /** The names in this folder, sorted. */
    public List<String> names() throws FaultException {
        try (Stream<Path> entries = Files.list(path)) {
            return entries.map(p -> String.valueOf(p.getFileName())).sorted().collect(Collectors.toList());
        } catch (IOException | UncheckedIOException e) {
            throw new FaultException(Fault.IO, path + ": cannot be listed: " + e.getMessage(), e);
        }
    }

    /** What the folder holds, for messages. */
    public String holds() throws FaultException {
        List<String> names = names();
        return names.isEmpty() ? "nothing" : Shown.cut(String.join(", ", names), 400);
    }

    private void requirePlain(String name) throws FaultException {
        if (!PlainName.isPlain(name)) {
            throw new FaultException(
                    Fault.BAD_INPUT,
                    path + ": \"" + Shown.cut(name, 200)
                            + "\" is not a plain file name (letters, digits, '_', '.', '-')");
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
