package jdiff.runtime.weights;

import java.util.Set;
import jdiff.runtime.safetensors.StoredType;
import jdiff.runtime.tensor.DType;
import org.jspecify.annotations.Nullable;

/**
 * The dtype that each parameter of a component gets. Integers and booleans keep theirs; of floating ones those with an
 * <em>atom</em> (a part between dots) of their name in {@code float32Atoms} become float32 whatever was asked, the others the
 * requested dtype.
 *
 * @param requested null for {@code auto}: as stored
 * @param float32Atoms atoms that keep a parameter in float32; {@code norm} does not match {@code norm_q}
 * @param float32AtomsOfHalf the same, but only where float16 is requested
 */
public record DTypeRule(@Nullable DType requested, Set<String> float32Atoms, Set<String> float32AtomsOfHalf) {
    /** Every parameter as it is stored. */
    public static final DTypeRule AUTO = new DTypeRule(null, Set.of(), Set.of());

    public DTypeRule {
        if (requested != null && !requested.isFloating()) {
            throw new IllegalArgumentException("weights cannot be loaded as " + requested);
        }
        float32Atoms = Set.copyOf(float32Atoms);
        float32AtomsOfHalf = Set.copyOf(float32AtomsOfHalf);
    }

    public static DTypeRule of(@Nullable DType requested) {
        return requested == null ? AUTO : new DTypeRule(requested, Set.of(), Set.of());
    }

    public DTypeRule keepingFloat32(String... atoms) {
        return new DTypeRule(requested, Set.of(atoms), float32AtomsOfHalf);
    }

    /**
     * The dtype of parameter {@code name} that is stored as {@code stored}; null where there is none, with the reason in {@link
     * #refusal}.
     */
    @Nullable DType of(String name, StoredType stored) {
        DType dtype = stored.dtype();
        if (dtype == null || !dtype.isFloating()) {
            return dtype;
        }
        if (hasAtom(name, float32Atoms) || (requested == DType.F16 && hasAtom(name, float32AtomsOfHalf))) {
            return DType.F32;
        }
        if (requested != null) {
            return requested;
        }
        return isFloat8(dtype) ? null : dtype;
    }

    /** Why {@link #of(String, StoredType)} gave none. */
    String refusal(String name, StoredType stored) {
        DType dtype = stored.dtype();
        return dtype == null
                ? "dtype " + stored + " of tensor " + name + " is not supported by jdiff"
                : "float8 weights need a quantised layer: tensor " + name + " is " + stored
                        + "; ask for a dtype by name";
    }

    private static boolean isFloat8(DType dtype) {
        return dtype == DType.F8_E4M3 || dtype == DType.F8_E5M2;
    }

    private static boolean hasAtom(String name, Set<String> atoms) {
        if (atoms.isEmpty()) {
            return false;
        }
        int start = 0;
        while (true) {
            int dot = name.indexOf('.', start);
            if (atoms.contains(name.substring(start, dot < 0 ? name.length() : dot))) {
                return true;
            }
            if (dot < 0) {
                return false;
            }
            start = dot + 1;
        }
    }
}
