package jdiff.runtime.pipeline;

import java.util.HashSet;
import java.util.Set;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** Says each thing once, however many prompts it is true of. */
final class Warnings {
    private static final Logger LOG = LogManager.getLogger();

    /** Says nothing: for a check before the request is made. */
    static final Warnings SILENT = new Warnings(false);

    private final boolean audible;
    private final Set<String> said = new HashSet<>();

    Warnings() {
        this(true);
    }

    private Warnings(boolean audible) {
        this.audible = audible;
    }

    void warn(String text) {
        if (audible && said.add(text)) {
            LOG.warn(text);
        }
    }
}
