package jdiff.runtime.pipeline;

import java.util.HashSet;
import java.util.Set;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** Says each thing once, however many prompts it is true of. */
final class Warnings {
    private static final Logger LOG = LogManager.getLogger();

    private final Set<String> said = new HashSet<>();

    void warn(String text) {
        if (said.add(text)) {
            LOG.warn(text);
        }
    }
}
