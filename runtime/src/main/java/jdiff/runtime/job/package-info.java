/**
 * From prompts to files: {@link jdiff.runtime.job.PromptSource} reads them, {@link jdiff.runtime.job.JobPlan} says what will be
 * made and where, {@link jdiff.runtime.job.GenerateJob} is the loop of one rank, {@link jdiff.runtime.job.Manifest} tells what
 * came of each prompt. Ranks share only a key-value store and the output folder; there is no collective here.
 *
 * <p>Legend: the <i>index</i> of a prompt is its line number less 1; its <i>position</i> counts usable prompts only, from 0. A
 * new way to read prompts is a {@link jdiff.runtime.job.PromptSource}; a new field of a result belongs into
 * {@link jdiff.runtime.job.PromptResult}.
 */
@NullMarked
package jdiff.runtime.job;

import org.jspecify.annotations.NullMarked;
