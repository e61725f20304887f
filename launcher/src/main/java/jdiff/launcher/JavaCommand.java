package jdiff.launcher;

import java.util.ArrayList;
import java.util.List;

/** The command line of one Java worker: our flags, the installation's, the user's, then the entry and its arguments. */
final class JavaCommand {
    private JavaCommand() {}

    static List<String> of(JobSpec spec, Program.Java program, Bindings bindings, int localRank) {
        List<String> command = new ArrayList<>();
        command.add(program.executable().toString());
        List<String> ours = flags(spec, bindings);
        ours.removeAll(program.installationFlags()); // these follow, so nothing changes but the length of the line
        command.addAll(ours);
        command.addAll(program.installationFlags());
        // An archive that does not fit the user's class path costs time, nothing else.
        command.add("-Xlog:cds*=off:stderr");
        for (String flag : program.userFlags()) {
            command.add(flag.replace("{rank}", Integer.toString(localRank))
                    .replace("{local_rank}", Integer.toString(localRank))
                    .replace("{attempt}", Integer.toString(bindings.attempt())));
        }
        List<String> classPath = new ArrayList<>(program.classPath());
        List<String> arguments = new ArrayList<>(program.arguments());
        if (program.source() != null) {
            classPath.add(bindings.classes()); // last, since a class-data archive fits a class path by its beginning
            arguments.replaceAll(word -> word.equals(JavaSource.MAIN_CLASS) ? bindings.mainClass() : word);
        }
        command.add("-cp");
        command.add(String.join(":", classPath));
        command.add(program.entry());
        command.addAll(arguments);
        return command;
    }

    /**
     * Tensors are native: a small fixed heap and no JavaCPP budget. Crash files go to the job's directory, nothing of the JVM to
     * stdout.
     */
    private static List<String> flags(JobSpec spec, Bindings bindings) {
        List<String> flags = new ArrayList<>(List.of(
                "-Xmx1g",
                "-XX:MaxDirectMemorySize=256m",
                "-XX:+UseSerialGC",
                "-XX:ActiveProcessorCount=" + threads(spec),
                "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0",
                "-Dorg.bytedeco.javacpp.maxBytes=0",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:ErrorFile=" + bindings.directory() + "/hs_err_%p.log",
                "-XX:+DisplayVMOutputToStderr",
                "-Xlog:disable",
                "-Xlog:all=warning:stderr",
                "-Dfile.encoding=UTF-8",
                "-Djava.awt.headless=true"));
        if (Runtime.version().feature() >= 24) {
            flags.add("--enable-native-access=ALL-UNNAMED");
        }
        return flags;
    }

    private static String threads(JobSpec spec) {
        String preset = spec.host().environment().get(Names.OMP_NUM_THREADS);
        return preset != null && preset.matches("[1-9][0-9]{0,3}") ? preset : Integer.toString(spec.cpusPerWorker());
    }
}
