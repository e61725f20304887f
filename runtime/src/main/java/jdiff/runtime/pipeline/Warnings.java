package jdiff.runtime.pipeline;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** Says each thing once, however many prompts it is true of. */
final class Warnings implements Consumer<String> {
    private static final Logger LOG = LogManager.getLogger();

    private final boolean audible;
    private final Set<String> said = new HashSet<>();

    Warnings(boolean audible) {
        this.audible = audible;
    }

    @Override
    public void accept(String text) {
        if (audible && said.add(text)) {
            LOG.warn(text);
        }
    }
}
