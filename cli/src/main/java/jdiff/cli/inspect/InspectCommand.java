package jdiff.cli.inspect;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import jdiff.cli.GroupedHelp;
import jdiff.runtime.distributed.ParallelDims;
import jdiff.runtime.loading.LoadMeter;
import jdiff.runtime.pipeline.ComponentDTypes;
import jdiff.runtime.pipeline.PipelineOptions;
import jdiff.runtime.weights.FileDigests;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code jdiff inspect}: what a model holds, whether it is whole, and what ranks would load of it. */
@Command(
        name = "inspect",
        synopsisHeading = "usage: ",
        customSynopsis = "jdiff inspect [options] PATH",
        description = {
            "%nTells what a model holds, whether its files are whole, and what each rank would load of it.",
            "Reads headers and configs, no weights. Lists every Diffusers pipeline; for those that jdiff can run it also compares"
                    + " the weights with the configs and plans the load.",
        },
        parameterListHeading = "%n",
        optionListHeading = "",
        footer = {
            "",
            "One damaged file does not hide the others: each has a state, each fault is a line at the end. A rank reads what it"
                    + " keeps: tensor-parallel ranks share the weights, the other axes repeat them.",
            "Exit codes: 0 nothing is in the way of loading (there may be warnings), 2 bad option, 65 damaged or unusable,"
                    + " 66 something is missing, 74 cannot be read. With several faults the highest.",
            "",
            "Examples:",
            "  jdiff inspect Qwen/Qwen-Image --dtype bfloat16 --tp-degree 4",
            "  jdiff inspect --json --verify-weights ./my-model/transformer",
        })
public final class InspectCommand implements Callable<Integer> {
    private static final int DIGEST_THREADS = 4;

    @Parameters(
            paramLabel = "PATH",
            description =
                    "A pipeline folder, a component folder, one .safetensors file, or a hub id owner/name in the local hub cache.")
    private String path = "";

    @Option(
            names = "--dtype",
            paramLabel = "TYPE",
            defaultValue = "auto",
            description =
                    "Show the load as auto (as stored), float32, bfloat16 or float16; then, for single components, ,NAME=TYPE as"
                            + " in bfloat16,vae=float32 (default: ${DEFAULT-VALUE}).")
    private String dtype = "auto";

    @Option(
            names = "--variant",
            paramLabel = "NAME",
            description = "Look at the weights of this variant, for instance fp16 (default: those without one).")
    private @Nullable String variant;

    @Option(
            names = "--verify-weights",
            description =
                    "Read all weight files and compare their SHA-256 with the names that they have in the hub cache; another"
                            + " content is an error. Files outside a hub cache have no such name.")
    private boolean verify;

    @Mixin
    private final GridOptions grid = new GridOptions();

    @Option(
            names = {"-v", "--tensors"},
            description =
                    "List every tensor: stored dtype, dtype in memory, shape, bytes, file, and what is kept of it; and all files"
                            + " and findings, where there are many.")
    private boolean tensors;

    @Option(
            names = "--json",
            description = "Print one JSON object with everything instead of lines; sizes are in bytes.")
    private boolean json;

    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Spec
    void setSpec(CommandSpec spec) {
        this.spec = spec;
        GroupedHelp.install(spec, Map.of("grid", "ranks of a job that does not run:"), "options:");
    }

    @Override
    public Integer call() throws IOException {
        if (path.isBlank()) {
            throw new IllegalArgumentException("PATH is empty; name a model folder, a file or a hub id");
        }
        ParallelDims dims = grid.dims();
        PipelineOptions options = PipelineOptions.DEFAULT
                .with(ComponentDTypes.parse(dtype))
                .ofVariant(variant)
                .shardingModulation(grid.shardModulation);
        ModelReport report = new Inspector(options, dims, grid.given() || !dtype.equals("auto")).inspect(path);
        if (verify) {
            report = verified(report);
        }
        if (json) {
            JsonReport.print(report, spec.commandLine().getOut());
        } else {
            new TextReport(report, tensors, spec.commandLine().getOut()).print();
        }
        return report.exitCode();
    }

    private ModelReport verified(ModelReport report) {
        int threads = Math.min(DIGEST_THREADS, Runtime.getRuntime().availableProcessors());
        LoadMeter meter = new LoadMeter();
        try (VerifyProgress progress =
                new VerifyProgress(meter, spec.commandLine().getErr())) {
            progress.start();
            return report.with(FileDigests.verify(report.presentFiles(), threads, meter));
        }
    }
}
