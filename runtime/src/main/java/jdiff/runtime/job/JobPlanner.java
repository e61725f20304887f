package jdiff.runtime.job;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import jdiff.runtime.config.Digests;
import jdiff.runtime.config.Json;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import org.jspecify.annotations.Nullable;

/**
 * Settles a {@link JobPlan}: reads all prompts once, chooses folder and seed, and refuses what would fail later: no usable
 * prompt, two files of one name, files of others in the way.
 */
public final class JobPlanner {
    private static final int MAX_DRAWN_SEED_BITS = 32;

    private final JobSettings settings;
    private final PromptSource prompts;
    private final Path model;
    private final @Nullable Path named;
    private final Path workingDirectory;
    private final boolean overwrite;
    private final Set<String> notes = new LinkedHashSet<>();
    private @Nullable OutputFolder chosen;
    private int entriesBefore;

    /** Told of each file that will be made. */
    @FunctionalInterface
    public interface Visitor {
        void file(PromptJob job, String name);

        /** Told of each prompt that cannot be used. */
        default void bad(String cause) {}
    }

    /**
     * A planner.
     *
     * @param model its folder
     * @param named output folder that the user asked for, or null
     * @param workingDirectory where a folder is made if none was asked for
     * @param overwrite make files anew, with a new seed if none is given
     */
    public JobPlanner(
            JobSettings settings,
            PromptSource prompts,
            Path model,
            @Nullable Path named,
            Path workingDirectory,
            boolean overwrite) {
        this.settings = settings;
        this.prompts = prompts;
        this.model = model;
        this.named = named;
        this.workingDirectory = workingDirectory;
        this.overwrite = overwrite;
    }

    /**
     * The plan, with its folder ready to be written.
     *
     * @throws FaultException OUTPUT, CONFIG, BAD_INPUT
     * @throws IllegalArgumentException if two files would have one name
     */
    public JobPlan prepare() throws FaultException {
        String fingerprint = ModelFingerprint.of(model);
        JobRecord job = record(fingerprint);
        OutputFolder folder = OutputFolder.choose(named, workingDirectory, job, overwrite);
        JobPlan plan = scan(folder, fingerprint, (j, name) -> {});
        chosen = folder;
        entriesBefore = folder.numEntries();
        try {
            folder.probe();
            folder.claim(job.withBaseSeed(plan.baseSeed()));
        } catch (FaultException e) {
            abandon();
            throw e;
        }
        return plan;
    }

    /** What the user should know of the requests of the last plan, each thing once. */
    public List<String> notes() {
        return List.copyOf(notes);
    }

    /** Takes the folder and its record back, if the job has failed before it made anything. */
    void abandon() {
        if (chosen != null) {
            chosen.abandon(entriesBefore);
        }
    }

    /** The plan as it would be now; writes nothing. A drawn seed will be another one when the job is run. */
    public JobPlan preview(Visitor visitor) throws FaultException {
        String fingerprint = ModelFingerprint.of(model);
        OutputFolder folder = OutputFolder.choose(named, workingDirectory, record(fingerprint), overwrite);
        return scan(folder, fingerprint, visitor);
    }

    private JobRecord record(String fingerprint) throws FaultException {
        Map<String, String> record = new LinkedHashMap<>();
        record.put(JobRecord.MODEL, fingerprint);
        record.put("dtype", settings.dtype());
        record.put(
                "seed",
                settings.seed().isPresent() ? Long.toString(settings.seed().getAsLong()) : "drawn");
        record.put("options", Json.write(json -> Manifest.writeOptions(json, settings.options())));
        record.put("name template", settings.names().toString());
        record.put(JobRecord.PROMPTS, promptDigest());
        return new JobRecord(record, 0);
    }

    private String promptDigest() throws FaultException {
        MessageDigest digest = Digests.sha256();
        try (PromptCursor cursor = prompts.open()) {
            for (PromptLine line = cursor.next(); line != null; line = cursor.next()) {
                String text = line.index() + " "
                        + (line instanceof PromptLine.Good good
                                ? good.request().options() + good.request().prompt()
                                : "bad");
                digest.update(text.getBytes(StandardCharsets.UTF_8));
                digest.update((byte) 0);
            }
        }
        return Digests.hex(digest);
    }

    private JobPlan scan(OutputFolder folder, String fingerprint, Visitor visitor) throws FaultException {
        OptionalLong known = settings.seed().isPresent() ? settings.seed() : folder.baseSeed();
        long baseSeed = known.orElseGet(JobPlanner::draw);
        checkFree(folder, Manifest.FILE);
        Map<String, Integer> seen = new HashMap<>();
        int good = 0;
        int bad = 0;
        long pictures = 0;
        long steps = 0;
        try (JobCursor cursor = new JobCursor(prompts, settings, baseSeed)) {
            for (JobCursor.Item item = cursor.next(); item != null; item = cursor.next()) {
                PromptJob job = item.job();
                if (job == null) {
                    bad++;
                    visitor.bad(prompts.place(item.index()) + ": " + item.problem());
                    continue;
                }
                notes.addAll(settings.family().notes(job.request()));
                good++;
                pictures += job.numImages();
                steps += job.numSteps();
                List<String> names = settings.names().of(job, RequestKey.of(job, settings.dtype(), fingerprint));
                for (String name : names) {
                    checkName(name, job.index(), seen);
                    checkFree(folder, name);
                    visitor.file(job, name);
                }
            }
        }
        if (good == 0) {
            prompts.requireUsable(settings, baseSeed); // says what is wrong
        }
        boolean drawn = settings.seed().isEmpty();
        return new JobPlan(folder.path(), baseSeed, drawn, fingerprint, good, bad, pictures, steps);
    }

    private void checkName(String name, int index, Map<String, Integer> seen) {
        if (!settings.names().mayCollide()) {
            return; // Default names hold the index: no table of all names is needed.
        }
        Integer other = seen.putIfAbsent(name, index);
        if (other != null) {
            throw new IllegalArgumentException("two pictures would be named " + name + ": of " + prompts.place(other)
                    + (other == index ? " alone" : " and of " + prompts.place(index))
                    + "; put {index} and, for several pictures of a prompt, {image} into --name-template");
        }
    }

    private static void checkFree(OutputFolder folder, String name) throws FaultException {
        if (!folder.existing() && Files.exists(folder.path().resolve(name))) {
            throw new FaultException(
                    Fault.OUTPUT,
                    folder.path().resolve(name)
                            + " exists and no job of jdiff has its record there: it is not replaced; choose another"
                            + " --output-dir, or move it away");
        }
    }

    /** Short enough to be remembered, and far from the end of the range. */
    private static long draw() {
        return new SecureRandom().nextLong() >>> (Long.SIZE - MAX_DRAWN_SEED_BITS);
    }
}
