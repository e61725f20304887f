package jdiff.launcher;

/**
 * What is only known when the job really starts: the bound port, the directory of error and log files, the launcher's pid, the
 * attempt. Texts, so that a dry run can show placeholders.
 *
 * @param directory holds {@code attempt_<n>/<local rank>/} as torchrun lays it out
 * @param classes directory with the compiled single-file program, last on the class path; unused otherwise
 */
public record Bindings(
        String port,
        String directory,
        String classes,
        String mainClass,
        String parentPid,
        String launchId,
        int attempt) {
    /** Placeholders for {@code --dry-run}. */
    public static Bindings symbolic(JobSpec spec) {
        String port = spec.port() == 0 ? "<free port>" : Integer.toString(spec.port());
        return new Bindings(port, "<run directory>", "<run directory>/classes", "<main class>", "<pid>", "<random>", 0);
    }

    public String rankDirectory(int localRank) {
        return directory + "/attempt_" + attempt + "/" + localRank;
    }
}
