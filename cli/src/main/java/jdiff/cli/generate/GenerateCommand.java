package jdiff.cli.generate;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jdiff.cli.GroupedHelp;
import jdiff.cli.RankVerb;
import jdiff.cli.log.ConsoleContext;
import jdiff.runtime.job.DpSplit;
import jdiff.runtime.job.JobSettings;
import jdiff.runtime.job.OutputNames;
import jdiff.runtime.job.PromptSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code jdiff generate}: pictures from prompts, alone or as one rank of many. */
@Command(
        name = "generate",
        synopsisHeading = "usage: ",
        customSynopsis = {
            "jdiff generate [options]",
            "       jdiff launch [launch options] generate [options]",
        },
        description = {
            "%nMakes pictures from prompts. Prints the path of each file on stdout, in the order of the prompts; under launch the"
                    + " ranks share the prompts.",
            "A picture depends on its prompt, seed and options only, never on the number of ranks.",
        },
        optionListHeading = "",
        footer = {
            "",
            "Sizes, steps and scales have the defaults of the model's family: Qwen-Image 1024 x 1024, 50 steps, true CFG 4, no"
                    + " negative prompt. The demo model: four prompts, 128 x 128, 20 steps, negative prompt \" \".",
            "Every option also exists with _ for -, and as a variable: JDIFF_OUTPUT_DIR.",
            "A prompt that cannot be used or made is reported and recorded in manifest.jsonl; the others are made. Its options and"
                    + " prompt are a line for --prompts-file that makes the same pictures again.",
            "Exit codes: 0 all made, 79 some prompts failed, 2 bad option, 65 unusable input, 66 missing file or model, 73 output"
                    + " not writable, 78 the folder holds another job, or the model does not fit"
                    + " in memory.",
            "",
            "Examples:",
            "  jdiff generate --prompt \"a red circle\" --seed 7",
            "  jdiff launch --nproc-per-node 2 generate --prompts-file prompts.txt --output-dir out",
            "  jdiff generate --model Qwen/Qwen-Image --dtype bfloat16 --prompt \"a fox\" --dry-run",
        })
public final class GenerateCommand implements RankVerb {
    @Mixin
    final PromptOptions prompts = new PromptOptions();

    @Mixin
    final ModelOptions model = new ModelOptions();

    @Mixin
    final LoadingOptions loading = new LoadingOptions();

    @Mixin
    final PlacementOptions placement = new PlacementOptions();

    @Mixin
    final SamplingOptions sampling = new SamplingOptions();

    @Mixin
    final OutputOptions output = new OutputOptions();

    @Option(
            names = "--dp-split",
            paramLabel = "MODE",
            defaultValue = "dynamic",
            converter = SplitConverter.class,
            description =
                    "How ranks share the prompts: dynamic, whoever is free takes the next one; static, equal blocks (default:"
                            + " ${DEFAULT-VALUE}).")
    DpSplit split = DpSplit.DYNAMIC;

    @Option(
            names = "--dry-run",
            description = "Show model, memory, prompts, seed and file names; load no weights, write nothing.")
    boolean dryRun;

    @Option(
            names = {"-v", "--verbose"},
            description = "Tell the story of the run on stderr; twice: in detail, with stacks of failures.")
    boolean[] verbose = {};

    @Option(
            names = {"-q", "--quiet"},
            description = "No progress and no notes on stderr, only errors.")
    boolean quiet;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    boolean help;

    private final Map<String, String> environment;
    private @Nullable CommandSpec spec;
    private @Nullable StandardInput standardInput;

    public GenerateCommand() {
        this(System.getenv());
    }

    GenerateCommand(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    @Spec
    void setSpec(CommandSpec spec) {
        this.spec = spec;
        // A prompt may look like an option.
        spec.parser().allowOptionsAsOptionParameters(true);
        Map<String, String> headings = new LinkedHashMap<>();
        headings.put("prompts", "prompts:");
        headings.put("model", "model:");
        headings.put("loading", "weights:");
        headings.put("placement", "devices:");
        headings.put("sampling", "pictures:");
        headings.put("output", "files:");
        GroupedHelp.install(spec, headings, "job:");
    }

    /**
     * The command line as data.
     *
     * @throws IllegalArgumentException if values are bad or contradict each other
     */
    GenerateSpec toSpec() {
        return new GenerateSpec(
                given("--model", model.model),
                model.dtypes(),
                given("--variant", loading.variant),
                loading.strict,
                loading.settings(environment),
                loading.verify,
                placement.choice(),
                prompts.prompts,
                given("--prompts-file", prompts.promptsFile),
                prompts.standardInputCopy,
                path(given("--output-dir", output.outputDir)),
                output.nameTemplate == null ? OutputNames.DEFAULT : OutputNames.of(output.nameTemplate),
                output.embedPrompt,
                output.overwrite,
                split,
                sampling.options(),
                sampling.seed());
    }

    /** An empty value is nobody's wish, but a variable of a script that has none. */
    private static @Nullable String given(String option, @Nullable String value) {
        if (value != null && value.isBlank()) {
            throw new IllegalArgumentException(option + " is empty; give it a value, or leave it away");
        }
        return value;
    }

    private static @Nullable Path path(@Nullable String text) {
        try {
            return text == null ? null : Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("--output-dir: " + e.getMessage(), e);
        }
    }

    @Override
    public void check() throws IOException {
        GenerateSpec job = toSpec();
        job.placement().environment(environment);
        Path folder = job.folder(environment);
        JobSettings settings = job.settings(folder);
        // Workers cannot read the launcher's input: they get a copy.
        standardInput = job.readsStandardInput() ? StandardInput.copy(System.in) : null;
        PromptSource source = job.source(standardInput == null ? null : standardInput.copy());
        // A hopeless job starts no process.
        source.requireUsable(settings, job.seed().orElse(0));
    }

    @Override
    public List<String> workerWords() {
        return standardInput == null ? List.of() : List.of("--stdin-copy=" + standardInput.copy());
    }

    @Override
    public Integer call() throws IOException {
        int verbosity = quiet ? GenerateRun.QUIET : verbose.length;
        ConsoleContext.setVerbosity(verbosity);
        if (spec == null) {
            throw new IllegalStateException("the command was not set up by picocli");
        }
        var run = new GenerateRun(
                toSpec(),
                environment,
                spec.commandLine().getOut(),
                spec.commandLine().getErr(),
                verbosity);
        return dryRun ? run.dry() : run.run();
    }
}
