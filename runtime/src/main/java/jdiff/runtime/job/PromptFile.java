package jdiff.runtime.job;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import jdiff.runtime.config.InputFile;
import jdiff.runtime.config.Shown;
import jdiff.runtime.config.Utf8;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.pipeline.GenerationRequest;
import org.jspecify.annotations.Nullable;

/** Prompts in a file, as lines of text or of JSON. Blank lines are skipped but numbered. */
final class PromptFile implements PromptSource {
    private final Path file;
    private final String name;
    private final boolean json;

    PromptFile(Path file, String name, boolean json) throws FaultException {
        // A pipe can be read once only, and by one process only.
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new FaultException(
                    Fault.BAD_INPUT,
                    name + ": wanted a regular file with prompts, found "
                            + (Files.isDirectory(file) ? "a folder" : "a pipe or device; give it as --prompts-file -"));
        }
        InputFile.attributes(file);
        if (!Files.isReadable(file)) {
            throw new FaultException(Fault.NO_INPUT, name + ": no permission to read it");
        }
        this.file = file;
        this.name = name;
        this.json = json;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String place(int index) {
        return name + " line " + (index + 1);
    }

    @Override
    public PromptCursor open() throws FaultException {
        try {
            return new Lines(new LineReader(Files.newInputStream(file)));
        } catch (IOException e) {
            throw new FaultException(Fault.NO_INPUT, name + ": cannot be opened: " + e.getMessage(), e);
        }
    }

    private final class Lines implements PromptCursor {
        private final LineReader lines;
        private int index = -1;

        Lines(LineReader lines) {
            this.lines = lines;
        }

        @Override
        public @Nullable PromptLine next() throws FaultException {
            try {
                while (lines.next()) {
                    index++;
                    if (!lines.isBlank()) {
                        return line();
                    }
                }
                return null;
            } catch (FaultException e) {
                throw e;
            } catch (IOException e) {
                throw new FaultException(Fault.IO, name + ": cannot be read: " + e.getMessage(), e);
            }
        }

        private PromptLine line() {
            if (lines.isTooLong()) {
                return new PromptLine.Bad(index, "the line is longer than 1 MiB");
            }
            String text = Utf8.decode(lines.bytes(), lines.length());
            if (text == null) {
                int at = Utf8.badByte(lines.bytes(), lines.length());
                return new PromptLine.Bad(
                        index,
                        String.format(
                                "not UTF-8: byte 0x%02x at position %d of the line; save the file as UTF-8",
                                lines.bytes()[at], at + 1));
            }
            try {
                GenerationRequest request = json ? JsonPrompt.parse(text) : GenerationRequest.of(text);
                String problem = PromptText.problem("the prompt", request.prompt());
                return problem == null ? new PromptLine.Good(index, request) : new PromptLine.Bad(index, problem);
            } catch (IllegalArgumentException e) {
                return new PromptLine.Bad(index, Shown.cut(String.valueOf(e.getMessage()), 500));
            }
        }

        @Override
        public void close() {
            try {
                lines.close();
            } catch (IOException e) {
                throw new UncheckedIOException(name + ": cannot be closed", e);
            }
        }
    }
}
