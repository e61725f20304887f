package jdiff.runtime.safetensors;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Which rule a header breaks first, in the order of the rules and not of the header. */
final class HeaderFindings {
    /** The rules, the first is reported first; encoding and syntax are checked before any of them. */
    enum Rule {
        DUPLICATE,
        LIMIT,
        ENTRY,
        INTEGER,
        TYPE,
        ARITHMETIC,
        BYTES,
        COVERAGE,
        END,
        METADATA
    }

    private @Nullable Rule worst;
    private String message = "";

    /** A header breaks a rule. The text is only made where it may be reported. */
    void add(Rule rule, Supplier<String> text) {
        if (noneBefore(rule)) {
            worst = rule;
            message = text.get();
        }
    }

    /** Whether {@code rule} and all before it hold so far. */
    boolean noneBefore(Rule rule) {
        return worst == null || rule.compareTo(worst) < 0;
    }

    /** Throws what was found, if anything was. */
    void require() throws SafetensorsHeader.Invalid {
        if (worst != null) {
            throw new SafetensorsHeader.Invalid(message);
        }
    }
}
