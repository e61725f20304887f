package jdiff.launcher.process;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdiff.launcher.Bindings;
import jdiff.launcher.JobSpec;
import jdiff.launcher.ProcessSpec;
import jdiff.launcher.log.ConsoleErr;
import jdiff.launcher.report.Reasons;
import org.apache.logging.log4j.LogManager;

/**
 * Where error files, crash files and logs of a job lie: {@code <log-dir>/<job id>_<random>/attempt_<n>/<local rank>/}, or the
 * same layout in the run directory where no log file was asked for.
 *
 * @param logs whether log files may be written here
 */
record JobDirectory(Path path, boolean logs) {
    private static final Path NOWHERE = Path.of("/dev/null");

    static JobDirectory create(JobSpec spec, String launchId, Path runDirectory, ConsoleErr err) {
        Path base = spec.output().logDir();
        if (!spec.output().wantsFiles() || NOWHERE.equals(base)) {
            return new JobDirectory(runDirectory, false);
        }
        Path parent = base == null ? RunDirectory.base(spec.host().environment()) : base.toAbsolutePath();
        String job = spec.ranks().jobId().replaceAll("[^A-Za-z0-9._-]", "_");
        Path path = parent.resolve(job + "_" + launchId.substring(0, Math.min(8, launchId.length())));
        try {
            Files.createDirectories(path);
        } catch (IOException e) {
            LogManager.getLogger().warn("{} cannot be made ({}): the job runs without log files", path, Reasons.of(e));
            return new JobDirectory(runDirectory, false);
        }
        if (base == null) {
            err.notice("log files are in " + path);
        }
        return new JobDirectory(path, true);
    }

    /** Makes the directories of an attempt and, beside logs, {@code launch.json}, which maps local to global ranks. */
    void prepare(List<ProcessSpec> processes, Bindings bindings, String jobId) throws IOException {
        for (ProcessSpec process : processes) {
            Files.createDirectories(Path.of(bindings.rankDirectory(process.localRank())));
        }
        if (logs) {
            Files.writeString(path.resolve("launch.json"), json(processes, bindings, jobId));
        }
    }

    private static String json(List<ProcessSpec> processes, Bindings bindings, String jobId) throws IOException {
        var text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("jobId", jobId);
            json.writeStringField("launchId", bindings.launchId());
            json.writeArrayFieldStart("ranks");
            for (ProcessSpec process : processes) {
                json.writeStartObject();
                json.writeNumberField("localRank", process.localRank());
                json.writeNumberField("rank", process.rank());
                json.writeStringField("device", process.device());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        return text.append('\n').toString();
    }
}
