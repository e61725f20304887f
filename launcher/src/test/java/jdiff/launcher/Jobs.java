package jdiff.launcher;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdiff.launcher.host.Host;
import jdiff.launcher.log.Redirects;

/** Makes job specifications for tests; each {@code with…} changes one thing. */
public final class Jobs {
    private final Program program;
    private int workers = 2;
    private Duration grace = Duration.ofSeconds(25);
    private Path logDir;
    private Map<String, String> environment = new TreeMap<>(System.getenv());
    private List<String> gpus = List.of();
    private boolean virtual;
    private int port;
    private List<Preparation> preparations = List.of();
    private Redirects redirects = Redirects.NONE;

    private Jobs(Program program) {
        this.program = program;
    }

    public static Jobs of(Program program) {
        return new Jobs(program);
    }

    /** A job of a shell script. */
    public static Jobs sh(String script) {
        return of(new Program.Executable(List.of("sh", "-c", script)));
    }

    public Jobs workers(int count) {
        workers = count;
        return this;
    }

    public Jobs grace(Duration time) {
        grace = time;
        return this;
    }

    public Jobs logDir(Path directory) {
        logDir = directory;
        return this;
    }

    public Jobs redirects(String spec) {
        redirects = Redirects.parse("-r", spec);
        return this;
    }

    public Jobs environment(Map<String, String> variables) {
        environment = new TreeMap<>(variables);
        return this;
    }

    public Jobs gpus(String... names) {
        gpus = List.of(names);
        return this;
    }

    public Jobs virtualLocalRank() {
        virtual = true;
        return this;
    }

    public Jobs port(int number) {
        port = number;
        return this;
    }

    public Jobs preparation(Preparation preparation) {
        preparations = List.of(preparation);
        return this;
    }

    public JobSpec spec() {
        return new JobSpec(
                program,
                new Ranks(workers, "job", "default", gpus.isEmpty() ? "cpu" : "cuda", virtual),
                "127.0.0.1",
                port,
                new Output(logDir, redirects, Redirects.NONE, null, 0, null, "plain"),
                new Policy(grace, Duration.ofMillis(100), List.of("TERM", "INT"), 0, false),
                new Host("here", 5, gpus, true, true, environment),
                preparations,
                List.of(new Setting("nproc-per-node", Integer.toString(workers), "command line")));
    }
}
