package jdiff.runtime.job;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.image.AtomicFile;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Where the files of a job go.
 *
 * @param existing whether it holds this very job, or one that may be replaced: then its files may be made anew
 * @param baseSeed of that job, where it is to be used again
 */
record OutputFolder(Path path, boolean existing, OptionalLong baseSeed) {
    /** Folder for what the job needs to know of itself. */
    static final String META = ".jdiff";

    private static final Logger LOG = LogManager.getLogger();
    private static final String RECORD = "job.json";
    private static final String DEFAULT = "jdiff-out";
    private static final int MAX_FOLDERS = 10_000;

    /**
     * Chooses the folder without touching anything: the named one, or {@code jdiff-out}, {@code jdiff-out-2} … in
     * {@code workingDirectory}, the first that is free or holds this job.
     *
     * @param overwrite make this job anew, also in place of another one in the named folder
     * @throws FaultException CONFIG if the named folder holds another job, OUTPUT if it cannot be used
     */
    static OutputFolder choose(@Nullable Path named, Path workingDirectory, JobRecord job, boolean overwrite)
            throws FaultException {
        if (named != null) {
            return ofNamed(named, job, overwrite);
        }
        for (int n = 1; n <= MAX_FOLDERS; n++) {
            Path path = workingDirectory.resolve(n == 1 ? DEFAULT : DEFAULT + "-" + n);
            if (!Files.exists(path)) {
                return fresh(path);
            }
            JobRecord there = record(path);
            if (there != null && there.isSameJob(job)) {
                return again(path, there, overwrite);
            }
            if (isUnused(path)) {
                return fresh(path);
            }
        }
        throw new FaultException(
                Fault.OUTPUT,
                "every folder from jdiff-out to jdiff-out-" + MAX_FOLDERS + " is taken; give --output-dir");
    }

    private static OutputFolder ofNamed(Path named, JobRecord job, boolean overwrite) throws FaultException {
        if (Files.exists(named) && !Files.isDirectory(named)) {
            throw new FaultException(Fault.OUTPUT, "output folder " + named + " is a file; name a folder");
        }
        JobRecord there = record(named);
        if (there == null) {
            return fresh(named);
        }
        if (!there.isSameJob(job) && isUnused(named)) {
            return fresh(named);
        }
        if (!there.isSameJob(job) && !overwrite) {
            throw new FaultException(
                    Fault.CONFIG,
                    "output folder " + named + " holds another job: " + job.difference(there)
                            + "; choose another --output-dir, or --overwrite to replace what it holds");
        }
        return again(named, there, overwrite);
    }

    private static OutputFolder fresh(Path path) {
        return new OutputFolder(path, false, OptionalLong.empty());
    }

    private static OutputFolder again(Path path, JobRecord there, boolean overwrite) {
        return new OutputFolder(path, true, overwrite ? OptionalLong.empty() : OptionalLong.of(there.baseSeed()));
    }

    private static @Nullable JobRecord record(Path folder) throws FaultException {
        Path file = folder.resolve(META).resolve(RECORD);
        try {
            return Files.exists(file) ? JobRecord.read(file) : null;
        } catch (FaultException e) {
            throw new FaultException(
                    e.fault(),
                    e.getMessage() + "; it should be jdiff's record of the job in " + folder
                            + ": choose another --output-dir, or remove that file",
                    e);
        }
    }

    /** Whether there is nothing, or only the record of a job that failed before it made anything. */
    private static boolean isUnused(Path path) {
        try (Stream<Path> entries = Files.list(path)) {
            return entries.allMatch(entry -> entry.endsWith(META));
        } catch (IOException e) {
            return false; // A file, or a folder that is not ours to read.
        }
    }

    /**
     * Makes the folder and proves that files can be written, synced, renamed and deleted there.
     *
     * @throws FaultException OUTPUT naming the folder and what failed
     */
    void probe() throws FaultException {
        try {
            Files.createDirectories(path.resolve(META));
        } catch (IOException e) {
            throw new FaultException(
                    Fault.OUTPUT,
                    "output folder " + path.toAbsolutePath() + " cannot be made: "
                            + reason(e)
                            + "; choose another with --output-dir",
                    e);
        }
        AtomicFile.probe(path);
    }

    private static String reason(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "no permission";
        }
        if (e instanceof FileAlreadyExistsException) {
            return e.getMessage() + " is a file";
        }
        return e instanceof FileSystemException system && system.getReason() != null
                ? system.getReason()
                : "this file system does not allow it";
    }

    /**
     * Takes back what {@link #probe} and {@link #claim} left, unless something was made since.
     *
     * @param withFolder the folder itself too
     */
    static void abandon(Path path, boolean withFolder) {
        if (!isUnused(path)) {
            return;
        }
        try {
            Files.deleteIfExists(path.resolve(META).resolve(RECORD));
            Files.deleteIfExists(path.resolve(META));
            if (withFolder) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            LOG.debug("{} stays behind", path, e); // It does no harm: the next job takes it.
        }
    }

    /** Leaves the record that makes this folder the job's own. */
    void claim(JobRecord job) throws FaultException {
        byte[] text = (job.toJson() + "\n").getBytes(StandardCharsets.UTF_8);
        AtomicFile.write(path.resolve(META).resolve(RECORD), out -> out.write(text), AtomicFile.UNCHECKED);
    }
}
