package jdiff.cli.doctor;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The JVM and the flags that a worker needs. */
final class JavaCheck implements Check {
    private static final int OLDEST = 17;

    @Override
    public List<Finding> run(Machine machine) {
        List<Finding> findings = new ArrayList<>();
        String java = System.getProperty("java.version") + " (" + System.getProperty("java.vendor") + "), "
                + System.getProperty("java.home");
        if (Runtime.version().feature() < OLDEST) {
            findings.add(
                    Finding.fail("java", java, "jdiff needs a JDK of at least " + OLDEST + "; set JAVA_HOME to one"));
        } else {
            findings.add(Finding.ok("java", java));
        }
        String platform = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        boolean supported = platform.toLowerCase(Locale.ROOT).equals("linux amd64");
        findings.add(
                supported
                        ? Finding.ok("platform", platform)
                        : Finding.fail("platform", platform, "jdiff runs on Linux on x86-64"));
        boolean budget = "0".equals(System.getProperty("org.bytedeco.javacpp.maxPhysicalBytes"));
        findings.add(
                budget
                        ? Finding.ok("flags", flags())
                        : Finding.warn(
                                "flags",
                                "JavaCPP's own memory limit is on (4 x the Java heap)",
                                "start with scripts/jdiff, or add -Dorg.bytedeco.javacpp.maxPhysicalBytes=0"
                                        + " -Dorg.bytedeco.javacpp.maxBytes=0"));
        return findings;
    }

    /** What the JVM was started with beside the flags that every start has. */
    private static String flags() {
        List<String> flags =
                new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
        flags.removeIf(flag -> flag.startsWith("-XX:ErrorFile="));
        String own = System.getProperty("jdiff.worker.args");
        if (own == null) {
            return String.join(" ", flags);
        }
        try {
            flags.removeAll(Files.readAllLines(Path.of(own).resolveSibling("worker.flags")));
        } catch (IOException e) {
            return String.join(" ", flags);
        }
        return "jdiff's own" + (flags.isEmpty() ? "" : " and " + String.join(" ", flags));
    }
}
