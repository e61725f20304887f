package jdiff.runtime.weights;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdiff.runtime.config.ModelFolder;
import jdiff.runtime.config.Shown;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import org.jspecify.annotations.Nullable;

/**
 * Which weight files of a component folder are used: an index with its shards or one file, of one variant or of none. Index
 * before single file, today's names before legacy names. {@link Variants} makes them for all components of a model.
 *
 * @param folder where the files lie
 * @param stem {@code diffusion_pytorch_model}, or {@code model} for text encoders
 * @param variant for instance {@code fp16}; null for files without one
 * @param index name of the index file; null for a single file
 * @param notes what a user should know of this choice
 */
public record WeightFiles(
        ModelFolder folder,
        String stem,
        @Nullable String variant,
        @Nullable String index,
        List<String> notes) {
    public WeightFiles {
        notes = List.copyOf(notes);
    }

    private static final String EXTENSION = ".safetensors";
    private static final String SHARD = "-\\d{5,}-of-\\d{5,}";
    private static final List<String> PICKLED = List.of(".bin", ".pt", ".pth", ".ckpt");

    /**
     * The files without a variant.
     *
     * @throws FaultException NO_INPUT saying what was looked for, what the folder holds and which variants there are
     */
    public static WeightFiles find(ModelFolder folder, String stem) throws FaultException {
        WeightFiles found = find(folder, stem, null);
        if (found == null) {
            throw missing(folder, stem);
        }
        return found;
    }

    /** The files of {@code variant} or, where it is null, those without one; null if there are none. */
    static @Nullable WeightFiles find(ModelFolder folder, String stem, @Nullable String variant) throws FaultException {
        List<String> indexes = variant == null
                ? List.of(stem + EXTENSION + ".index.json")
                : List.of(stem + EXTENSION + ".index." + variant + ".json", legacyIndex(stem, variant));
        // Asked by listing: a link to nowhere is found too, and reported when it is opened.
        List<String> names = folder.names();
        for (String index : indexes) {
            if (names.contains(index)) {
                return new WeightFiles(folder, stem, variant, index, List.of());
            }
        }
        var single = new WeightFiles(folder, stem, variant, null, List.of());
        return names.contains(single.single()) ? single : null;
    }

    /** Name of the single file; beside an index the one that stands in where shards are missing. */
    String single() {
        return stem + (variant == null ? "" : "." + variant) + EXTENSION;
    }

    /** The same with one more thing to say of them. */
    WeightFiles noting(String note) {
        return new WeightFiles(folder, stem, variant, index, List.of(note));
    }

    /**
     * Variants are never mixed: all shards with names of the usual pattern must be of one. Returns what there is to say of legacy
     * names, or null.
     */
    @Nullable String requireOneVariant(WeightIndex read) throws FaultException {
        String legacy = variant != null && legacyIndex(stem, variant).equals(index) ? index : null;
        String expected = variant;
        String before = variant == null ? null : index;
        String varied = "(?:\\.(.+))?";
        Pattern pattern = Pattern.compile(Pattern.quote(stem) + varied + SHARD + varied + "\\.safetensors");
        for (String shard : read.shards()) {
            Matcher matcher = pattern.matcher(shard);
            if (!matcher.matches()) {
                continue;
            }
            String found = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
            legacy = legacy == null && matcher.group(2) != null ? shard : legacy;
            if (before != null && !Objects.equals(found, expected)) {
                throw new FaultException(
                        Fault.BAD_INPUT,
                        read.file() + ": mixes two variants: " + before + " is of " + named(expected) + ", the shard "
                                + shard + " of " + named(found));
            }
            expected = found;
            before = shard;
        }
        return legacy == null ? null : folder + ": " + legacy + " has the legacy form of a variant's name";
    }

    private static String named(@Nullable String variant) {
        return variant == null ? "none" : Shown.cut(variant, 80);
    }

    private static String legacyIndex(String stem, String variant) {
        return stem + EXTENSION + "." + variant + ".index.json";
    }

    /** The variants of which an index or a single file with this stem exists, sorted. */
    static Set<String> variants(ModelFolder folder, String stem) throws FaultException {
        String start = Pattern.quote(stem) + "\\.";
        Pattern shard = Pattern.compile(start + ".+" + SHARD + "\\.safetensors");
        Pattern varied = Pattern.compile(start
                + "(?:safetensors\\.index\\.(?<index>.+)\\.json"
                + "|safetensors\\.(?<legacy>.+)\\.index\\.json"
                + "|(?<single>.+)\\.safetensors)");
        var found = new TreeSet<String>();
        for (String name : folder.names()) {
            Matcher matcher = varied.matcher(name);
            if (matcher.matches() && !shard.matcher(name).matches()) {
                for (String group : List.of("index", "legacy", "single")) {
                    if (matcher.group(group) != null) {
                        found.add(matcher.group(group));
                    }
                }
            }
        }
        return found;
    }

    /** Says why there are no weights in {@code folder}. */
    private static FaultException missing(ModelFolder folder, String stem) throws FaultException {
        Set<String> variants = variants(folder, stem);
        var pickled = new ArrayList<String>();
        for (String name : folder.names()) {
            if (PICKLED.stream().anyMatch(name::endsWith)) {
                pickled.add(name);
            }
        }
        String why = pickled.isEmpty() || !variants.isEmpty()
                ? ": no weights: looked for " + stem + EXTENSION + " and " + stem + EXTENSION
                        + ".index.json; the folder holds " + folder.holds()
                        + (variants.isEmpty() ? "" : "; variants available: " + String.join(", ", variants))
                : ": only pickle weights found (" + Shown.cut(String.join(", ", pickled), 400)
                        + "); jdiff reads safetensors only";
        return new FaultException(Fault.NO_INPUT, folder + why);
    }
}
