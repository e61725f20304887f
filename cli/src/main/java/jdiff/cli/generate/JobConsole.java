package jdiff.cli.generate;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import jdiff.runtime.job.JobListener;
import jdiff.runtime.job.JobPlan;
import jdiff.runtime.job.Manifest;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/** What the user sees of a job: paths on stdout, notes and progress on stderr. */
final class JobConsole implements JobListener, AutoCloseable {
    private static final Logger LOG = LogManager.getLogger();
    /** Failed prompts that are named on the console; the manifest names all. */
    private static final int MAX_SHOWN = 20;

    private static final String DEFAULT_FOLDER = "jdiff-out";

    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean quiet;
    private final boolean folderChosen;
    private final Map<String, String> environment;
    private @Nullable Progress progress;
    private @Nullable JobPlan plan;
    private int failed;

    /**
     * A console for the rank that speaks for the job.
     *
     * @param quiet show results only
     * @param folderChosen whether jdiff itself named the output folder
     */
    JobConsole(Map<String, String> environment, PrintWriter out, PrintWriter err, boolean quiet, boolean folderChosen) {
        this.environment = environment;
        this.out = out;
        this.err = err;
        this.quiet = quiet;
        this.folderChosen = folderChosen;
    }

    @Override
    public void planned(JobPlan settled) {
        plan = settled;
        LOG.info(
                "{} prompts, {} pictures, {} steps; files go to {}",
                settled.numPrompts(),
                settled.numPictures(),
                settled.numSteps(),
                settled.folder());
        if (folderChosen && !settled.folder().endsWith(DEFAULT_FOLDER)) {
            note(DEFAULT_FOLDER + " holds another job; files go to " + settled.folder());
        }
        if (!quiet) {
            progress = new Progress(err, Progress.columns(environment));
        }
    }

    @Override
    public void loading(long doneBytes, long totalBytes) {
        if (progress != null) {
            progress.loading(doneBytes, totalBytes);
        }
    }

    @Override
    public void loaded() {
        LOG.info("the model is loaded");
        if (plan != null && plan.seedDrawn()) { // not before: a job whose model does not load makes no pictures
            note("the seed is " + plan.baseSeed() + "; --seed " + plan.baseSeed() + " makes the same pictures again");
        }
        if (progress != null && plan != null) {
            progress.start(plan.numSteps(), plan.numPictures());
        }
    }

    @Override
    public void progress(long steps, long pictures) {
        if (progress != null) {
            progress.update(steps, pictures);
        }
    }

    @Override
    public void finished(Path file) {
        clear();
        // A closed stdout ends the printing, not the job: a PrintWriter does not throw.
        out.println(file);
        out.flush();
    }

    @Override
    public void failed(String cause) {
        failed++;
        clear();
        if (failed <= MAX_SHOWN) {
            LOG.warn("{}", cause);
        } else if (failed == MAX_SHOWN + 1) {
            LOG.warn("{} prompts have failed so far; further ones are not shown", failed);
        }
    }

    private void clear() {
        if (progress != null) {
            progress.clear();
        }
    }

    /** Says something that is neither a warning nor a result. */
    void note(String text) {
        if (!quiet) {
            clear();
            err.println("jdiff: " + text);
        }
    }

    @Override
    public void close() {
        if (progress != null) {
            progress.close();
        }
        if (failed > 0 && plan != null) {
            LOG.error(
                    "{} of {} prompts failed; their causes are in {}",
                    failed,
                    plan.numPrompts() + plan.numBad(),
                    plan.folder().resolve(Manifest.FILE));
        }
    }
}
