package jdiff.cli.generate;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What to make pictures of. */
final class PromptOptions {
    @Option(
            names = "--prompt",
            paramLabel = "TEXT",
            arity = "1",
            description = "What the picture shows; give it again for more prompts. An @ has no meaning.")
    List<String> prompts = new ArrayList<>();

    @Option(
            names = "--prompts-file",
            paramLabel = "FILE",
            description =
                    "One prompt per line; in a .jsonl file one JSON object per line, {\"prompt\": \"…\", \"seed\": 7, …} with any"
                            + " option below under its name with _. - is standard input.")
    @Nullable String promptsFile;

    @Option(names = "--stdin-copy", hidden = true, description = "Where the launcher has put its standard input.")
    String standardInputCopy = "";
}
