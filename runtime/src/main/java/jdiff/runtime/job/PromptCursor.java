package jdiff.runtime.job;

import java.io.Closeable;
import jdiff.runtime.fault.FaultException;
import org.jspecify.annotations.Nullable;

/** Reads prompts one after another, with memory for one of them. */
public interface PromptCursor extends Closeable {
    /** The next prompt, or null after the last one. */
    @Nullable PromptLine next() throws FaultException;

    @Override
    void close();
}
