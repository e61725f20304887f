package jdiff.runtime.weights;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import jdiff.runtime.config.ModelFolder;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Which weight files of a component folder are used: an index or one file, of one variant or of none. Index before single file;
 * today's names before legacy names.
 *
 * @param index name of the index file, or null for a single file
 * @param single name of the single file; beside an index the one that stands in where shards are missing
 */
record WeightFiles(@Nullable String index, String single) {
    private static final Logger LOG = LogManager.getLogger();
    private static final String EXTENSION = ".safetensors";
    private static final List<String> PICKLED = List.of(".bin", ".pt", ".pth", ".ckpt");

    static WeightFiles find(ModelFolder folder, String stem, @Nullable String variant) throws FaultException {
        if (variant == null) {
            String index = stem + EXTENSION + ".index.json";
            String single = stem + EXTENSION;
            if (folder.has(index)) {
                return new WeightFiles(index, single);
            }
            if (folder.has(single)) {
                return new WeightFiles(null, single);
            }
            // A link to nowhere is reported as what it is.
            if (folder.names().contains(single)) {
                folder.file(single);
            }
        } else {
            String index = stem + EXTENSION + ".index." + variant + ".json";
            String legacy = stem + EXTENSION + "." + variant + ".index.json";
            String single = stem + "." + variant + EXTENSION;
            if (folder.has(index)) {
                return new WeightFiles(index, single);
            }
            if (folder.has(legacy)) {
                LOG.warn("{}: {} has the legacy form of a variant's name", folder, legacy);
                return new WeightFiles(legacy, single);
            }
            if (folder.has(single)) {
                return new WeightFiles(null, single);
            }
        }
        throw missing(folder, stem, variant);
    }

    /** The variants of which weights with this stem exist, sorted. */
    static List<String> variants(ModelFolder folder, String stem) throws FaultException {
        var found = new TreeSet<String>();
        String index = stem + EXTENSION + ".index.";
        String legacy = stem + EXTENSION + ".";
        for (String name : folder.names()) {
            if (name.startsWith(index) && name.endsWith(".json") && name.length() > index.length() + 5) {
                found.add(name.substring(index.length(), name.length() - 5));
            } else if (name.startsWith(legacy)
                    && name.endsWith(".index.json")
                    && name.length() > legacy.length() + 11) {
                found.add(name.substring(legacy.length(), name.length() - 11));
            } else if (name.startsWith(stem + ".")
                    && name.endsWith(EXTENSION)
                    && name.length() > stem.length() + EXTENSION.length() + 1) {
                found.add(name.substring(stem.length() + 1, name.length() - EXTENSION.length()));
            }
        }
        return new ArrayList<>(found);
    }

    private static FaultException missing(ModelFolder folder, String stem, @Nullable String variant)
            throws FaultException {
        List<String> variants = variants(folder, stem);
        String available = variants.isEmpty() ? "" : "; variants available: " + String.join(", ", variants);
        if (variant != null) {
            return new FaultException(
                    Fault.NO_INPUT,
                    folder + ": no weights of variant " + variant + ": looked for " + stem + "." + variant + EXTENSION
                            + " and its index; the folder holds " + folder.holds() + available);
        }
        var pickled = new ArrayList<String>();
        for (String name : folder.names()) {
            if (PICKLED.stream().anyMatch(name::endsWith)) {
                pickled.add(name);
            }
        }
        if (!pickled.isEmpty() && variants.isEmpty()) {
            return new FaultException(
                    Fault.NO_INPUT,
                    folder + ": only pickle weights found (" + String.join(", ", pickled)
                            + "); jdiff reads safetensors only");
        }
        return new FaultException(
                Fault.NO_INPUT,
                folder + ": no weights: looked for " + stem + EXTENSION + " and " + stem + EXTENSION
                        + ".index.json; the folder holds " + folder.holds() + available);
    }
}
