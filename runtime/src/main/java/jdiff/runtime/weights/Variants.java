package jdiff.runtime.weights;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import jdiff.runtime.config.ModelFolder;
import jdiff.runtime.config.PlainName;
import jdiff.runtime.config.Shown;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import org.jspecify.annotations.Nullable;

/**
 * Which weight files the components of a model use when a variant is asked for: a component without that variant uses its files
 * without a variant, with a note; a variant that no component has is an error.
 */
public final class Variants {
    private Variants() {}

    /**
     * A component that has weights.
     *
     * @param name for instance {@code text_encoder}
     * @param stem {@code diffusion_pytorch_model}, or {@code model} for text encoders
     */
    public record Component(String name, ModelFolder folder, String stem) {}

    /**
     * The files of each component by its name, in the order given.
     *
     * @param components all components of the model that have weights
     * @param variant for instance {@code fp16}; null for files without one
     * @throws IllegalArgumentException if {@code variant} cannot be part of a file name
     * @throws FaultException NO_INPUT if no component has the variant, naming those that exist, or if a component has no weights
     */
    public static Map<String, WeightFiles> choose(Collection<Component> components, @Nullable String variant)
            throws FaultException {
        if (variant != null && !PlainName.isPlain(variant)) {
            throw new IllegalArgumentException(
                    "variant \"" + Shown.cut(variant, 80) + "\" is not a plain name (letters, digits, '_', '.', '-')");
        }
        boolean any = variant == null || components.isEmpty();
        for (Component component : components) {
            any = any || ofVariant(component, variant) != null;
        }
        if (!any) {
            throw inNone(components, String.valueOf(variant));
        }
        var chosen = new LinkedHashMap<String, WeightFiles>();
        for (Component component : components) {
            WeightFiles files = ofVariant(component, variant);
            if (files == null) {
                files = plain(component, variant);
            }
            chosen.put(component.name(), files);
        }
        return chosen;
    }

    /** The files without a variant, with a note that another was asked for. */
    private static WeightFiles plain(Component component, @Nullable String variant) throws FaultException {
        WeightFiles files = WeightFiles.find(component.folder(), component.stem());
        return variant == null
                ? files
                : files.noting(component.name() + ": " + component.folder() + " holds no weights of variant " + variant
                        + "; its files without a variant are used");
    }

    private static @Nullable WeightFiles ofVariant(Component component, @Nullable String variant)
            throws FaultException {
        return variant == null ? null : WeightFiles.find(component.folder(), component.stem(), variant);
    }

    private static FaultException inNone(Collection<Component> components, String variant) throws FaultException {
        var exist = new ArrayList<String>();
        for (Component component : components) {
            Set<String> variants = WeightFiles.variants(component.folder(), component.stem());
            exist.add(component.name() + " has "
                    + (variants.isEmpty() ? "none" : "the variants " + String.join(", ", variants)) + " (looked for "
                    + component.stem() + "." + variant + ".safetensors and its index; " + component.folder()
                    + " holds " + component.folder().holds() + ")");
        }
        return new FaultException(
                Fault.NO_INPUT, "no component has weights of variant " + variant + ": " + String.join("; ", exist));
    }
}
