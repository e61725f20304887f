package jdiff.cli.launch;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** What the workers run and on which JVM flags. */
final class ProgramOptions {
    @Option(
            names = {"--no-java", "--no-python"},
            description = "<program> is any executable, run as it is.")
    boolean noJava;

    @Option(
            names = {"-cp", "--class-path"},
            paramLabel = "PATH",
            description = "Class path of the program, before jdiff's own jars; then <program> may be a class name.")
    String classPath = "";

    @Option(
            names = "--java-opts",
            paramLabel = "FLAGS",
            description =
                    "Flags for the workers' JVMs, after jdiff's own, so that they win; {rank}, {local_rank} and {attempt} are"
                            + " replaced. May be repeated. Also JDIFF_WORKER_JAVA_OPTS.")
    List<String> javaOpts = new ArrayList<>();
}
