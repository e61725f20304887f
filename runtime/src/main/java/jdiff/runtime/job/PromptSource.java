package jdiff.runtime.job;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.pipeline.GenerationRequest;
import org.jspecify.annotations.Nullable;

/** Where the prompts of a job come from. It can be read from the start as often as wanted. */
public interface PromptSource {
    /** Longest prompt, in bytes of UTF-8. */
    int MAX_PROMPT_BYTES = 64 << 10;

    PromptCursor open() throws FaultException;

    /** How messages name the whole of it, for instance {@code prompts.txt}. */
    String name();

    /** How messages name the prompt of that index, for instance {@code prompts.txt line 3}. */
    String place(int index);

    /**
     * Looks for a prompt that can be used, so that a hopeless job is refused before anything starts.
     *
     * @throws FaultException BAD_INPUT if there is none
     */
    default void requireUsable(JobSettings settings, long baseSeed) throws FaultException {
        String problem = "";
        int bad = 0;
        try (JobCursor cursor = new JobCursor(this, settings, baseSeed)) {
            for (JobCursor.Item item = cursor.next(); item != null; item = cursor.next()) {
                if (item.job() != null) {
                    return;
                }
                problem = bad == 0 ? place(item.index()) + ": " + item.problem() : problem;
                bad++;
            }
        }
        throw new FaultException(
                Fault.BAD_INPUT,
                bad == 0
                        ? name() + ": there is no prompt; wanted at least one, a line each"
                        : "no prompt can be used (" + bad + " tried); the first: " + problem);
    }

    /** Prompts of a command line or a program. */
    static PromptSource of(List<String> prompts) {
        List<String> copy = List.copyOf(prompts);
        return new PromptSource() {
            @Override
            public PromptCursor open() {
                return cursor(copy);
            }

            @Override
            public String name() {
                return "--prompt";
            }

            @Override
            public String place(int index) {
                return "prompt " + (index + 1);
            }
        };
    }

    /**
     * A file with one prompt per line, or with one JSON object per line if its name ends in {@code .jsonl}.
     *
     * @throws FaultException NO_INPUT if it cannot be read, BAD_INPUT if it is no regular file
     */
    static PromptSource file(Path file) throws FaultException {
        return new PromptFile(file, file.toString(), file.toString().endsWith(".jsonl"));
    }

    /**
     * The copy of a standard input: one prompt per line, or one JSON object per line if it begins with <code>{</code>.
     *
     * @throws FaultException NO_INPUT if it cannot be read
     */
    static PromptSource standardInput(Path copy) throws FaultException {
        try (InputStream in = Files.newInputStream(copy)) {
            return new PromptFile(copy, "standard input", LineReader.firstByte(in) == '{');
        } catch (FaultException e) {
            throw e;
        } catch (IOException e) {
            throw new FaultException(Fault.NO_INPUT, "the copy of standard input, " + copy + ", cannot be read", e);
        }
    }

    private static PromptCursor cursor(List<String> prompts) {
        Iterator<String> texts = prompts.iterator();
        return new PromptCursor() {
            private int index;

            @Override
            public @Nullable PromptLine next() {
                if (!texts.hasNext()) {
                    return null;
                }
                String text = texts.next();
                String problem = PromptText.problem("the prompt", text);
                return problem == null
                        ? new PromptLine.Good(index++, GenerationRequest.of(text))
                        : new PromptLine.Bad(index++, problem);
            }

            @Override
            public void close() {}
        };
    }
}
