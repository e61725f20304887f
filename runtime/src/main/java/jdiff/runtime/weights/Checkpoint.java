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
        return open(folder, stem, null);
    }

    /** As {@link #open(ModelFolder, String)}, of the files of {@code variant} (for instance {@code fp16}) only. */
    public static Checkpoint open(ModelFolder folder, String stem, @Nullable String variant) throws FaultException {
        WeightFiles found = WeightFiles.find(folder, stem, variant);
        if (found.index() == null) {
            return ofFile(folder, found.single(), List.of());
        }
        WeightIndex index = WeightIndex.read(folder.file(found.index()));
        List<String> notes = new ArrayList<>();
        String missing = firstMissing(folder, index);
        if (missing != null && folder.has(found.single())) {
            try {
                return ofFile(
                        folder,
                        found.single(),
                        List.of(index.file() + " names the missing shard " + missing + "; " + found.single()
                                + " is used instead"));
            } catch (FaultException e) {
                // Both are damaged: the missing shard is what a user has to fetch.
                notes.add(found.single() + " cannot stand in for it: " + e.getMessage());
            }
        }
        return ofIndex(folder, index, notes);
    }

    /** Opens one file by its name. */
    static Checkpoint ofFile(ModelFolder folder, String name, List<String> notes) throws FaultException {
        SafetensorsFile file = SafetensorsFile.open(folder.file(name));
        var tensors = new LinkedHashMap<String, Location>();
        file.entries().forEach((tensor, entry) -> tensors.put(tensor, new Location(file, entry)));
        return new Checkpoint(folder, name, List.of(file), tensors, notes);
    }

    private static @Nullable String firstMissing(ModelFolder folder, WeightIndex index) {
        for (String shard : index.shards()) {
            if (!folder.has(shard)) {
                return shard;
            }
        }
        return null;
    }

    private static Checkpoint ofIndex(ModelFolder folder, WeightIndex index, List<String> notes) throws FaultException {
        var files = new LinkedHashMap<String, SafetensorsFile>();
        for (String shard : index.shards()) {
            if (!folder.has(shard) && !folder.names().contains(shard)) {
                throw new FaultException(
                        Fault.NO_INPUT,
                        index.file() + " names the shard " + shard
                                + ", which is missing; download incomplete? The folder holds " + folder.holds()
                                + notes.stream().map(note -> "; " + note).collect(Collectors.joining()));
            }
            files.put(shard, SafetensorsFile.open(folder.file(shard)));
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
        if (index.totalBytes() >= 0 && index.totalBytes() != sum) {
            notes.add(index.file() + ": total_size " + index.totalBytes() + " differs from the sum of its tensors, "
                    + sum);
        }
        addUnnamed(index, files.values(), tensors, notes);
        return new Checkpoint(
                folder, String.valueOf(index.file().getFileName()), new ArrayList<>(files.values()), tensors, notes);
    }

    /** Tensors that a shard holds and the index does not name may be used, with a note. */
    private static void addUnnamed(
            WeightIndex index, Collection<SafetensorsFile> files, Map<String, Location> tensors, List<String> notes)
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
            notes.add(index.file() + " does not name " + unnamed.size() + " tensors of its shards, first "
                    + Shown.cut(first.getKey(), 200) + " in "
                    + first.getValue().file().path());
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
