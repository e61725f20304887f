package jdiff.cli.generate;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdiff.runtime.config.Shown;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.job.JobPlan;
import jdiff.runtime.job.JobPlanner;
import jdiff.runtime.job.JobSettings;
import jdiff.runtime.job.PromptJob;
import jdiff.runtime.pipeline.RequestOption;

/** Prints what a job would do. */
final class DryRun {
    private static final int MAX_BAD = 20;
    private static final int MAX_PROMPT = 60;

    private final GenerateSpec spec;
    private final JobSettings settings;
    private final Path folder;
    private final PrintWriter out;
    private long mostPixels;

    DryRun(GenerateSpec spec, JobSettings settings, Path folder, PrintWriter out) {
        this.spec = spec;
        this.settings = settings;
        this.folder = folder;
        this.out = out;
    }

    void print(JobPlanner planner) throws FaultException {
        MemoryEstimate memory = MemoryEstimate.of(folder, spec.dtypes());
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
        memory.weightBytes().forEach((name, bytes) -> components.add(name + " " + MemoryEstimate.shown(bytes)));
        row(
                "model",
                settings.model() + " at " + folder + ", " + settings.family().name());
        row(
                "weights",
                MemoryEstimate.shown(memory.totalBytes()) + " as " + spec.dtypes() + ": "
                        + String.join(", ", components));
        row("memory", "about " + MemoryEstimate.shown(memory.workerBytes(mostPixels)) + " for each worker");
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

    private static long pixels(PromptJob job) {
        return (long) job.request().integer(RequestOption.HEIGHT)
                * job.request().integer(RequestOption.WIDTH);
    }

    private void row(String name, String value) {
        out.println(String.format("%-9s %s", name, value));
    }

    private static String shown(PromptJob job, String name) {
        return name + "  " + job.request().integer(RequestOption.HEIGHT) + " x "
                + job.request().integer(RequestOption.WIDTH) + "  "
                + Shown.cut(job.request().prompt(), MAX_PROMPT);
    }
}
