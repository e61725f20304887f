package jdiff.cli.generate;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import jdiff.cli.log.ConsoleContext;
import jdiff.cli.worker.WorkerControl;
import jdiff.runtime.distributed.World;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.job.GenerateJob;
import jdiff.runtime.job.JobOutcome;
import jdiff.runtime.job.JobSettings;
import jdiff.runtime.job.PromptSource;
import jdiff.runtime.job.Trace;
import jdiff.runtime.loading.LoadMeter;
import jdiff.runtime.pipeline.LoadOptions;
import jdiff.runtime.pipeline.ModelPlan;
import jdiff.runtime.pipeline.Pipeline;
import jdiff.runtime.pipeline.Pipelines;
import jdiff.runtime.placement.DeviceSizes;
import jdiff.runtime.placement.PlacementPlan;
import jdiff.runtime.safetensors.SafetensorsFile;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/** What {@code generate} does on one rank. */
final class GenerateRun {
    /** Errors only, on the scale of {@link ConsoleContext#setVerbosity}. */
    static final int QUIET = -1;

    private static final Logger LOG = LogManager.getLogger();

    private final GenerateSpec spec;
    private final Map<String, String> environment;
    private final PrintWriter out;
    private final PrintWriter err;
    private final int verbosity;
    private final WeightVerification verification = new WeightVerification();

    GenerateRun(GenerateSpec spec, Map<String, String> environment, PrintWriter out, PrintWriter err, int verbosity) {
        this.spec = spec;
        this.environment = environment;
        this.out = out;
        this.err = err;
        this.verbosity = verbosity;
    }

    /** The whole job; returns the exit code. */
    int run() throws IOException {
        try (StandardInput input = standardInput()) {
            return run(input);
        } catch (UncheckedIOException e) {
            throw e.getCause(); // A lost store or peer, met deep inside.
        }
    }

    private int run(@Nullable StandardInput input) throws IOException {
        Path folder = spec.folder(environment);
        JobSettings settings = spec.settings(folder);
        PromptSource source = spec.source(input == null ? null : input.copy());
        spec.placement().requireOneProcess(spec.loading());
        try (World world = World.join(spec.placement().environment(environment))) {
            Trace trace = Trace.of(environment, world.rank());
            trace.processStart();
            if (world.rank() == 0) {
                SlowDtype.warn(spec.dtypes(), world.device());
            }
            GenerateJob job = new GenerateJob(world, settings, source, spec.split(), trace);
            try (JobConsole console = new JobConsole(
                    environment, out, err, verbosity < 0 || world.rank() > 0, spec.outputDir() == null)) {
                JobOutcome outcome = job.run(
                        spec.planner(settings, source, folder),
                        meter -> open(folder, world, console, meter),
                        console,
                        () -> WorkerControl.isDraining() || verification.hasFailed());
                verification.finish(console::note);
                Fault fault = outcome.fault();
                return fault == null ? 0 : fault.exitCode();
            }
        }
    }

    /** All ranks read the same files: what there is to warn of is said by rank 0 alone. */
    private Pipeline open(Path folder, World world, JobConsole console, LoadMeter meter) throws FaultException {
        if (world.rank() > 0) {
            ConsoleContext.setVerbosity(QUIET);
        }
        ModelPlan model = null;
        try {
            model = plan(folder);
            Pipeline pipeline = model.load(loadOptions(model, world, console, meter));
            // Not before: it would take the disk from the load. The ranks of a node read the same files.
            if (spec.verifyWeights()
                    && environment.getOrDefault("LOCAL_RANK", "0").equals("0")) {
                verification.start(files(model));
            }
            return pipeline;
        } catch (FaultException | RuntimeException e) {
            if (model != null) {
                model.close();
            }
            throw e;
        } finally {
            ConsoleContext.setVerbosity(verbosity);
        }
    }

    private static List<Path> files(ModelPlan model) {
        return model.components().stream()
                .flatMap(component -> component.weights().checkpoint().files().stream())
                .map(SafetensorsFile::path)
                .toList();
    }

    private ModelPlan plan(Path folder) throws FaultException {
        return Pipelines.plan(folder.toString(), spec.pipelineOptions());
    }

    /** Decides where the model goes, says so, and refuses what has no room there. */
    private LoadOptions loadOptions(ModelPlan model, World world, JobConsole console, LoadMeter meter)
            throws FaultException {
        PlacementChoice choice = spec.placement();
        DeviceSizes sizes = choice.sizes(world.device(), environment).capped(choice.max());
        PlacementPlan placement = choice.place(model, sizes, world.device());
        boolean spread = placement.devices().size() > 1; // else there is nothing new to tell
        placement.rows().forEach(row -> {
            if (spread) {
                console.note(row.toString());
            } else {
                LOG.info("{}", row);
            }
        });
        placement.warnings().forEach(LOG::warn);
        choice.requireMemory(model, placement, sizes, world.device(), spec.loading());
        return new LoadOptions(placement, spec.loading(), meter, choice.freeTextEncoder());
    }

    /** Shows what would be done; returns the exit code. */
    int dry() throws IOException {
        if (!environment.getOrDefault("RANK", "0").equals("0")) {
            return 0;
        }
        try (StandardInput input = standardInput()) {
            Path folder = spec.folder(environment);
            JobSettings settings = spec.settings(folder);
            PromptSource source = spec.source(input == null ? null : input.copy());
            spec.placement().environment(environment);
            try (ModelPlan model = plan(folder)) {
                new DryRun(spec, settings, folder, environment, out)
                        .print(spec.planner(settings, source, folder), model);
            }
            out.flush();
            return 0;
        }
    }

    private @Nullable StandardInput standardInput() throws FaultException {
        return spec.readsStandardInput() ? StandardInput.open(spec.standardInputCopy(), environment, System.in) : null;
    }
}
