package jdiff.cli.generate;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import jdiff.runtime.config.Shown;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.job.JobPlan;
import jdiff.runtime.job.JobPlanner;
import jdiff.runtime.job.JobSettings;
import jdiff.runtime.job.PromptJob;
import jdiff.runtime.pipeline.ModelPlan;
import jdiff.runtime.pipeline.RequestOption;
import jdiff.runtime.placement.ByteSize;
import jdiff.runtime.placement.DeviceSizes;
import jdiff.runtime.placement.PlacementPlan;
import jdiff.runtime.tensor.Device;

/** Prints what a job would do. */
final class DryRun {
    private static final int MAX_BAD = 20;
    private static final int MAX_PROMPT = 60;

    private final GenerateSpec spec;
    private final JobSettings settings;
    private final Path folder;
    private final Map<String, String> environment;
    private final PrintWriter out;
    private long mostPixels;

    DryRun(GenerateSpec spec, JobSettings settings, Path folder, Map<String, String> environment, PrintWriter out) {
        this.spec = spec;
        this.settings = settings;
        this.folder = folder;
        this.environment = environment;
        this.out = out;
    }

    void print(JobPlanner planner, ModelPlan model) throws FaultException {
        MemoryEstimate memory = MemoryEstimate.of(model, folder, spec.dtypes());
        List<String> placement = placement(model);
        // Known only after the prompts were read, but shown first; file lines are short.
        List<String> files = new ArrayList<>();
        List<String> bad = new ArrayList<>();
        JobPlan plan = planner.preview(new JobPlanner.Visitor() {
            @Override
            public void file(PromptJob job, String name) {
                files.add(shown(job, name));
                mostPixels = Math.max(mostPixels, pixels(job));
            }

            @Override
            public void bad(String cause) {
                if (bad.size() < MAX_BAD) {
                    bad.add(cause);
                }
            }
        });
        List<String> components = new ArrayList<>();
        memory.weightBytes().forEach((name, bytes) -> components.add(name + " " + ByteSize.shown(bytes)));
        row(
                "model",
                settings.model() + " at " + folder + ", " + settings.family().name());
        row(
                "weights",
                ByteSize.shown(memory.totalBytes()) + " as " + spec.dtypes() + ": " + String.join(", ", components));
        boolean apart = spec.placement().freeTextEncoder() && plan.numPrompts() == 1;
        row("memory", "about " + ByteSize.shown(memory.workerBytes(mostPixels, apart)) + " for each worker");
        placement.forEach(out::println);
        row(
                "prompts",
                plan.numPrompts() + (plan.numBad() > 0 ? ", and " + plan.numBad() + " that cannot be used" : ""));
        row("pictures", plan.numPictures() + " in " + plan.numSteps() + " steps, shared " + spec.split());
        row(
                "seed",
                plan.seedDrawn()
                        ? "drawn at the start; names below are those of --seed " + plan.baseSeed()
                        : Long.toString(plan.baseSeed()));
        row("folder", plan.folder().toString());
        planner.notes().forEach(note -> row("note", note));
        files.forEach(out::println);
        bad.forEach(cause -> row("unusable", cause));
        if (plan.numBad() > bad.size()) {
            row("unusable", "… and " + (plan.numBad() - bad.size()) + " more");
        }
    }

    /** What goes where, as lines. */
    private List<String> placement(ModelPlan model) {
        List<String> lines = new ArrayList<>();
        PlacementChoice choice = spec.placement();
        Device own = choice.ownDevice(environment);
        DeviceSizes sizes = choice.sizes(own, environment).assuming(choice.max());
        PlacementPlan placement = choice.place(model, sizes, own);
        placement.rows().forEach(row -> lines.add(line("placement", row.toString())));
        placement.warnings().forEach(warning -> lines.add(line("warning", warning)));
        try {
            choice.requireMemory(model, placement, sizes, own, spec.loading());
        } catch (FaultException e) {
            lines.add(line("refused", String.valueOf(e.getMessage())));
        }
        return lines;
    }

    private static long pixels(PromptJob job) {
        return (long) job.request().integer(RequestOption.HEIGHT)
                * job.request().integer(RequestOption.WIDTH);
    }

    private void row(String name, String value) {
        out.println(line(name, value));
    }

    private static String line(String name, String value) {
        return String.format("%-9s %s", name, value);
    }

    private static String shown(PromptJob job, String name) {
        return name + "  " + job.request().integer(RequestOption.HEIGHT) + " x "
                + job.request().integer(RequestOption.WIDTH) + "  "
                + Shown.cut(job.request().prompt(), MAX_PROMPT);
    }
}
