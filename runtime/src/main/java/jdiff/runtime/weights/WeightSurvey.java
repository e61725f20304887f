package jdiff.runtime.weights;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import jdiff.runtime.config.ModelFolder;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.safetensors.SafetensorsFile;
import jdiff.runtime.safetensors.TensorEntry;
import org.jspecify.annotations.Nullable;

/**
 * The weight files of one component, each looked at on its own: loading stops at the first fault, a report should not. Reads
 * headers and the index only.
 *
 * @param files all {@code .safetensors} files of the folder and those that its index names, by name
 * @param checkpoint what loading would get; null if there is a fault, or if the files have no names that loading knows
 * @param faults what keeps the component from being loaded besides the faults of single files
 * @param notes what does not, but is not as it should be
 */
public record WeightSurvey(
        List<SurveyedFile> files, @Nullable Checkpoint checkpoint, List<FaultException> faults, List<String> notes) {
    private static final String EXTENSION = ".safetensors";
    private static final List<String> STEMS = List.of("diffusion_pytorch_model", "model");

    public WeightSurvey {
        files = List.copyOf(files);
        faults = List.copyOf(faults);
        notes = List.copyOf(notes);
    }

    /** A file that belongs to no folder. */
    public static WeightSurvey ofFile(Path file) {
        return new WeightSurvey(List.of(look(file, () -> file, true)), null, List.of(), List.of());
    }

    /**
     * All files of a component folder.
     *
     * @param stem {@code diffusion_pytorch_model} or {@code model}; null for the one that the names in the folder have
     * @param variant for instance {@code fp16}; null for files without one
     * @throws FaultException IO if the folder cannot be listed
     */
    public static WeightSurvey of(ModelFolder folder, @Nullable String stem, @Nullable String variant)
            throws FaultException {
        Set<String> names = new TreeSet<>();
        for (String name : folder.names()) {
            if (name.endsWith(EXTENSION)) {
                names.add(name);
            }
        }
        String known = stem == null ? stem(folder.names()) : stem;
        try {
            Checkpoint checkpoint = Checkpoint.open(files(folder, known, variant), false);
            return ofCheckpoint(folder, names, checkpoint);
        } catch (FaultException e) {
            Set<String> wanted = wanted(folder, known, variant);
            // A folder of files that is no component of a pipeline has any names.
            if (wanted.isEmpty()
                    && variant == null
                    && !names.isEmpty()
                    && e.fault() == Fault.NO_INPUT
                    && !folder.has("config.json")) {
                String note = folder + ": no index and no file of a usual name: each file for itself";
                return new WeightSurvey(each(folder, names, wanted), null, List.of(), List.of(note));
            }
            return ofFault(each(folder, names, wanted), wanted, e);
        }
    }

    /** Of the variant, else those without one: which components have it is a question to all of them together. */
    private static WeightFiles files(ModelFolder folder, String stem, @Nullable String variant) throws FaultException {
        WeightFiles varied = WeightFiles.find(folder, stem, variant);
        if (varied != null || variant == null) {
            return varied == null ? WeightFiles.find(folder, stem) : varied;
        }
        return WeightFiles.find(folder, stem)
                .noting(folder + " holds no weights of variant " + variant + "; its files without a variant are used");
    }

    private static String stem(Collection<String> names) {
        for (String stem : STEMS) {
            if (names.stream().anyMatch(name -> name.startsWith(stem + ".") || name.startsWith(stem + "-"))) {
                return stem;
            }
        }
        return STEMS.get(0);
    }

    private static WeightSurvey ofCheckpoint(ModelFolder folder, Set<String> names, Checkpoint checkpoint) {
        Map<String, SafetensorsFile> opened = new HashMap<>();
        for (SafetensorsFile file : checkpoint.files()) {
            opened.put(String.valueOf(file.path().getFileName()), file);
        }
        List<SurveyedFile> files = new ArrayList<>();
        List<String> notes = new ArrayList<>(checkpoint.notes());
        Set<String> all = new TreeSet<>(names);
        all.addAll(opened.keySet());
        for (String name : all) {
            SafetensorsFile header = opened.get(name);
            if (header != null) {
                files.add(new SurveyedFile(header.path(), header.size(), true, header, null));
                continue;
            }
            SurveyedFile unused = look(folder.path().resolve(name), () -> folder.file(name), false);
            files.add(unused);
            if (unused.fault() != null) {
                notes.add("not used, and damaged: " + unused.fault().getMessage());
            }
        }
        return new WeightSurvey(files, checkpoint, List.of(), notes);
    }

    /** @param wanted what loading would open; empty if that is not known, and then all files count */
    private static List<SurveyedFile> each(ModelFolder folder, Set<String> names, Set<String> wanted) {
        Set<String> all = new TreeSet<>(names);
        all.addAll(wanted);
        List<SurveyedFile> files = new ArrayList<>();
        for (String name : all) {
            Path path = folder.path().resolve(name);
            boolean used = wanted.isEmpty() || wanted.contains(name);
            if (names.contains(name) || Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                files.add(look(path, () -> folder.file(name), used));
            } else {
                String text = path + ": no such file, but the index names it; download incomplete?";
                files.add(new SurveyedFile(path, 0, used, null, new FaultException(Fault.NO_INPUT, text)));
            }
        }
        return files;
    }

    private static WeightSurvey ofFault(List<SurveyedFile> files, Set<String> wanted, FaultException fault) {
        // The fault is that of the first bad file, which tells it itself.
        boolean told = files.stream().anyMatch(file -> file.fault() != null && wanted.contains(file.name()));
        return new WeightSurvey(files, null, told ? List.of() : List.of(fault), List.of());
    }

    private static Set<String> wanted(ModelFolder folder, String stem, @Nullable String variant) {
        try {
            WeightFiles found = files(folder, stem, variant);
            return found.index() == null
                    ? Set.of(found.single())
                    : WeightIndex.read(folder.file(found.index())).shards();
        } catch (FaultException e) {
            return Set.of();
        }
    }

    private interface Place {
        Path find() throws FaultException;
    }

    private static SurveyedFile look(Path path, Place place, boolean used) {
        try {
            SafetensorsFile header = SafetensorsFile.open(place.find());
            return new SurveyedFile(path, header.size(), used, header, null);
        } catch (FaultException e) {
            return new SurveyedFile(path, size(path), used, null, e);
        }
    }

    private static long size(Path path) {
        try {
            return Files.isRegularFile(path) ? Files.size(path) : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    /** What loading would open, or what there is if that is not known. */
    public List<SurveyedFile> used() {
        return files.stream().filter(SurveyedFile::used).toList();
    }

    /** The tensors of the files that are used and whole. */
    public Collection<Checkpoint.Location> tensors() {
        if (checkpoint != null) {
            return checkpoint.tensors().values();
        }
        Map<String, Checkpoint.Location> tensors = new LinkedHashMap<>();
        for (SurveyedFile file : used()) {
            if (file.header() != null) {
                for (TensorEntry entry : file.header().entries().values()) {
                    tensors.putIfAbsent(entry.name(), new Checkpoint.Location(file.header(), entry));
                }
            }
        }
        return tensors.values();
    }

    /** Faults of files that are used, then the others. */
    public List<FaultException> allFaults() {
        List<FaultException> all = new ArrayList<>();
        used().stream().map(SurveyedFile::fault).filter(Objects::nonNull).forEach(all::add);
        all.addAll(faults);
        return all;
    }
}
