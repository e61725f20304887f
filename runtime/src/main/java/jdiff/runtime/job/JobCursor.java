package jdiff.runtime.job;

import java.io.Closeable;
import jdiff.runtime.fault.FaultException;
import org.jspecify.annotations.Nullable;

/** Reads prompts and completes them to jobs. All ranks that read the same source with the same seed see the same. */
final class JobCursor implements Closeable {
    private final PromptCursor prompts;
    private final JobSettings settings;
    private final long baseSeed;
    private long position;

    /**
     * A prompt with its job, or with what is wrong with it.
     *
     * @param job null if the prompt is bad
     * @param problem empty if it is good
     */
    record Item(int index, @Nullable PromptJob job, String problem) {}

    JobCursor(PromptSource source, JobSettings settings, long baseSeed) throws FaultException {
        this.prompts = source.open();
        this.settings = settings;
        this.baseSeed = baseSeed;
    }

    /** The next prompt, good or bad; null after the last one. */
    @Nullable Item next() throws FaultException {
        PromptLine line = prompts.next();
        if (line instanceof PromptLine.Good good) {
            try {
                PromptJob job = settings.job(good, baseSeed);
                position++;
                return new Item(good.index(), job, "");
            } catch (IllegalArgumentException e) {
                return new Item(good.index(), null, String.valueOf(e.getMessage()));
            }
        }
        return line instanceof PromptLine.Bad bad ? new Item(bad.index(), null, bad.problem()) : null;
    }

    /** Reads on to the usable prompt at {@code wanted}, which lies ahead. */
    PromptJob advanceTo(long wanted) throws FaultException {
        while (true) {
            Item item = next();
            if (item == null) {
                throw new IllegalStateException("the prompts ended before position " + wanted
                        + " although rank 0 counted more; did the file change during the run?");
            }
            if (item.job() != null && position - 1 == wanted) {
                return item.job();
            }
        }
    }

    @Override
    public void close() {
        prompts.close();
    }
}
