package jdiff.runtime.weights;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import jdiff.runtime.config.ModelFolder;
import jdiff.runtime.config.Shown;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.safetensors.SafetensorsFile;
import jdiff.runtime.safetensors.TensorEntry;
import org.jspecify.annotations.Nullable;

/**
 * The weights of one component: every tensor name with the file and the place that hold it. Opening reads headers only, each
 * once, and checks that index and shards agree.
 */
public final class Checkpoint {
    private final ModelFolder folder;
    private final String source;
    private final List<SafetensorsFile> files;
    private final Map<String, Location> tensors;
    private final List<String> notes;

    private Checkpoint(
            ModelFolder folder,
            String source,
            List<SafetensorsFile> files,
            Map<String, Location> tensors,
            List<String> notes) {
        this.folder = folder;
        this.source = source;
        this.files = List.copyOf(files);
        this.tensors = tensors;
        this.notes = List.copyOf(notes);
    }

    /** Where one tensor lies. */
    public record Location(SafetensorsFile file, TensorEntry entry) {}

    /**
     * Opens the weights of a component folder.
     *
     * @param stem {@code diffusion_pytorch_model}, or {@code model} for text encoders
     * @throws FaultException NO_INPUT if there are none, BAD_INPUT if they are damaged
     */
    public static Checkpoint open(ModelFolder folder, String stem) throws FaultException {
        return open(WeightFiles.find(folder, stem), false);
    }

    /**
     * Opens chosen files, for instance of a variant.
     *
     * @param strict a tensor that the index does not name is an error, not a note
     * @throws FaultException NO_INPUT if files are missing, BAD_INPUT if they are damaged
     */
    public static Checkpoint open(WeightFiles files, boolean strict) throws FaultException {
        ModelFolder folder = files.folder();
        List<String> notes = new ArrayList<>(files.notes());
        if (files.index() == null) {
            return ofFile(folder, files.single(), notes);
        }
        WeightIndex index = WeightIndex.read(folder.file(files.index()));
        String missing = firstMissing(folder, index);
        if (missing != null && folder.has(files.single())) {
            try {
                return ofFile(
                        folder,
                        files.single(),
                        plus(
                                notes,
                                index.file() + " names the missing shard " + missing + "; " + files.single()
                                        + " is used instead"));
            } catch (FaultException e) {
                // Both are damaged: the missing shard is what a user has to fetch.
                notes.add(files.single() + " cannot stand in for it: " + e.getMessage());
            }
        }
        String legacy = files.requireOneVariant(index);
        if (legacy != null) {
            notes.add(legacy);
        }
        return ofIndex(folder, index, strict, notes);
    }

    /** Opens one file by its name. */
    static Checkpoint ofFile(ModelFolder folder, String name, List<String> notes) throws FaultException {
        SafetensorsFile file = SafetensorsFile.open(folder.file(name));
        var tensors = new LinkedHashMap<String, Location>();
        file.entries().forEach((tensor, entry) -> tensors.put(tensor, new Location(file, entry)));
        return new Checkpoint(folder, name, List.of(file), tensors, notes);
    }

    private static List<String> plus(List<String> notes, String note) {
        List<String> all = new ArrayList<>(notes);
        all.add(note);
        return all;
    }

    private static @Nullable String firstMissing(ModelFolder folder, WeightIndex index) {
        for (String shard : index.shards()) {
            if (!folder.has(shard)) {
                return shard;
            }
        }
        return null;
    }

    private static Checkpoint ofIndex(ModelFolder folder, WeightIndex index, boolean strict, List<String> notes)
            throws FaultException {
        var files = new LinkedHashMap<String, SafetensorsFile>();
        // All headers stay in memory: together they may take what one may.
        long headerBytes = 0;
        for (String shard : index.shards()) {
            if (!folder.has(shard) && !folder.names().contains(shard)) {
                throw new FaultException(
                        Fault.NO_INPUT,
                        index.file() + " names the shard " + shard
                                + ", which is missing; download incomplete? The folder holds " + folder.holds()
                                + notes.stream().map(note -> "; " + note).collect(Collectors.joining()));
            }
            SafetensorsFile file = SafetensorsFile.open(folder.file(shard));
            headerBytes += file.headerBytes();
            if (headerBytes > SafetensorsFile.MAX_HEADER_BYTES) {
                throw new FaultException(
                        Fault.BAD_INPUT,
                        index.file() + ": the headers of its shards up to " + shard + " have " + headerBytes
                                + " bytes together, above the limit of " + SafetensorsFile.MAX_HEADER_BYTES);
            }
            files.put(shard, file);
        }
        var tensors = new LinkedHashMap<String, Location>();
        long sum = 0;
        for (Map.Entry<String, String> named : index.shardOf().entrySet()) {
            SafetensorsFile file = files.get(named.getValue());
            TensorEntry entry = file == null ? null : file.entries().get(named.getKey());
            if (file == null || entry == null) {
                throw new FaultException(
                        Fault.BAD_INPUT,
                        index.file() + ": tensor " + Shown.cut(named.getKey(), 200) + " is not in its shard "
                                + named.getValue());
            }
            tensors.put(named.getKey(), new Location(file, entry));
            sum += entry.bytes();
        }
        if (index.totalSize() != null && !index.totalSize().equals(Long.toString(sum))) {
            notes.add(index.file() + ": total_size " + index.totalSize() + " differs from the sum of its tensors, "
                    + sum);
        }
        addUnnamed(index, files.values(), tensors, strict, notes);
        return new Checkpoint(
                folder, String.valueOf(index.file().getFileName()), new ArrayList<>(files.values()), tensors, notes);
    }

    /** Tensors that a shard holds and the index does not name may be used, with a note, unless {@code strict}. */
    private static void addUnnamed(
            WeightIndex index,
            Collection<SafetensorsFile> files,
            Map<String, Location> tensors,
            boolean strict,
            List<String> notes)
            throws FaultException {
        var unnamed = new LinkedHashMap<String, Location>();
        for (SafetensorsFile file : files) {
            for (TensorEntry entry : file.entries().values()) {
                if (tensors.containsKey(entry.name())) {
                    continue;
                }
                Location before = unnamed.put(entry.name(), new Location(file, entry));
                if (before != null) {
                    throw new FaultException(
                            Fault.BAD_INPUT,
                            "tensor " + Shown.cut(entry.name(), 200) + " is in both "
                                    + before.file().path() + " and " + file.path() + ", and " + index.file()
                                    + " names neither");
                }
            }
        }
        if (!unnamed.isEmpty()) {
            Map.Entry<String, Location> first = unnamed.entrySet().iterator().next();
            String note = index.file() + " does not name " + unnamed.size() + " tensors of its shards, first "
                    + Shown.cut(first.getKey(), 200) + " in "
                    + first.getValue().file().path();
            if (strict) {
                throw new FaultException(Fault.BAD_INPUT, note);
            }
            notes.add(note);
            tensors.putAll(unnamed);
        }
    }

    public ModelFolder folder() {
        return folder;
    }

    /** Name of the file that was looked at first: the index or the single file. */
    String source() {
        return source;
    }

    /** The files, in reading order. */
    public List<SafetensorsFile> files() {
        return files;
    }

    /** All tensors by their names in the files. */
    public Map<String, Location> tensors() {
        return tensors;
    }

    /** What does not keep the weights from being used, but should be told once: a stale index, a wrong sum. */
    public List<String> notes() {
        return notes;
    }
}
