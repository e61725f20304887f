package jdiff.cli;

import java.io.IOException;
import java.util.Properties;
import picocli.CommandLine;

/** The version of this build, and of the JVM it runs on. */
final class VersionProvider implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
        return new String[] {
            "jdiff " + version(),
            "JVM " + System.getProperty("java.version") + " (" + System.getProperty("java.vendor") + "), "
                    + System.getProperty("os.name") + " " + System.getProperty("os.arch")
        };
    }

    static String version() throws IOException {
        var build = new Properties();
        try (var in = VersionProvider.class.getResourceAsStream("/jdiff/cli/build.properties")) {
            if (in != null) {
                build.load(in);
            }
        }
        return build.getProperty("version", "unknown");
    }
}
