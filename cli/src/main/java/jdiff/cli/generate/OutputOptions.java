package jdiff.cli.generate;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the files go and what they are called. */
final class OutputOptions {
    @Option(
            names = "--output-dir",
            paramLabel = "DIR",
            description =
                    "Folder for the files and manifest.jsonl (default: jdiff-out; if that holds another job, jdiff-out-2, …).")
    @Nullable String outputDir;

    @Option(
            names = "--name-template",
            paramLabel = "NAME",
            description =
                    "File names, made of {index}, {key} (digest of all that the picture depends on), {seed}, {image}, {slug}"
                            + " (words of the prompt) and plain characters (default: {index}-{key}, and -{image} if a prompt has"
                            + " several pictures).")
    @Nullable String nameTemplate;

    @Option(names = "--embed-prompt", description = "Write the prompt's text into the picture's metadata too.")
    boolean embedPrompt;

    @Option(
            names = "--overwrite",
            description =
                    "Start anew in a folder that holds a job of jdiff: another job's folder is taken over, and without --seed a"
                            + " new seed is drawn.")
    boolean overwrite;
}
