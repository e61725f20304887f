package jdiff.runtime.job;

import jdiff.runtime.pipeline.GenerationRequest;

/** One prompt as it was given: usable, or bad with the reason. */
public sealed interface PromptLine {
    /** The line number less 1, or the number of the {@code --prompt}, from 0. */
    int index();

    /** A prompt with the options that were given with it. */
    record Good(int index, GenerationRequest request) implements PromptLine {}

    /**
     * A prompt that cannot be used.
     *
     * @param problem what was wanted and found, without the line number
     */
    record Bad(int index, String problem) implements PromptLine {}
}
