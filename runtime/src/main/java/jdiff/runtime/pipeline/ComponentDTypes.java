package jdiff.runtime.pipeline;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import jdiff.runtime.config.Shown;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.weights.DTypeRule;
import org.jspecify.annotations.Nullable;

/**
 * The dtypes in which the components of a pipeline are loaded, as typed by a user: {@code auto}, {@code bfloat16}, {@code
 * bfloat16,vae=float32}.
 *
 * @param text what was typed
 * @param general for components without an entry; null for the stored dtypes
 * @param byComponent where one component differs; a null value means its stored dtypes
 */
public record ComponentDTypes(String text, @Nullable DType general, Map<String, @Nullable DType> byComponent) {
    /** Every parameter as it is stored. */
    public static final ComponentDTypes AUTO = parse("auto");

    public ComponentDTypes {
        byComponent = Collections.unmodifiableMap(new TreeMap<>(byComponent));
    }

    /**
     * Reads {@code <dtype>[,<component>=<dtype>]...}.
     *
     * @throws IllegalArgumentException naming the part that is wrong
     */
    public static ComponentDTypes parse(String text) {
        DType general = null;
        Map<String, @Nullable DType> byComponent = new TreeMap<>();
        String[] parts = text.split(",", -1);
        for (int i = 0; i < parts.length; i++) {
            String part = parts[i].strip();
            int equals = part.indexOf('=');
            if (equals > 0) {
                byComponent.put(part.substring(0, equals).strip(), dtype(part.substring(equals + 1)));
            } else if (i == 0) {
                general = dtype(part);
            } else {
                throw new IllegalArgumentException("dtype \"" + text + "\": \"" + part
                        + "\" must be <component>=<dtype>, for instance vae=float32");
            }
        }
        return new ComponentDTypes(text, general, byComponent);
    }

    private static @Nullable DType dtype(String name) {
        if (name.strip().equals("auto")) {
            return null;
        }
        try {
            return DType.ofName(name.strip());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "dtype \"" + Shown.cut(name, 80)
                            + "\" is not known; wanted auto, float32, bfloat16 or float16, and for single components as in"
                            + " bfloat16,vae=float32",
                    e);
        }
    }

    /** The rule for one component. */
    DTypeRule rule(String component) {
        return DTypeRule.of(byComponent.containsKey(component) ? byComponent.get(component) : general);
    }

    /**
     * Checks the names.
     *
     * @throws IllegalArgumentException if a named component is none of {@code components}
     */
    void requireAmong(Collection<String> components) {
        for (String name : byComponent.keySet()) {
            if (!components.contains(name)) {
                throw new IllegalArgumentException("dtype \"" + text + "\": this model has no component " + name
                        + " with weights; it has " + String.join(", ", components));
            }
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
