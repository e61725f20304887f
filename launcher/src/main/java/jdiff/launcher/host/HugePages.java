package jdiff.launcher.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Whether huge pages make the first touch of memory cheaper. They do not in a virtual machine whose balloon reports free pages
 * to the host: the host takes them back in blocks of the size of a huge page, so each one is fetched anew, small page by small
 * page, and cleared besides. Measured: two to three times slower than small pages.
 */
final class HugePages {
    /** A balloon's number among virtio devices. */
    private static final String BALLOON = "0x0005";
    /** The bit of its features that says that free pages are reported. */
    private static final int REPORTING = 5;

    private HugePages() {}

    static boolean pay(Path root) {
        Path devices = root.resolve("sys/bus/virtio/devices");
        try (DirectoryStream<Path> all = Files.newDirectoryStream(devices)) {
            for (Path device : all) {
                String features = line(device.resolve("features"));
                if (line(device.resolve("device")).equals(BALLOON)
                        && features.length() > REPORTING
                        && features.charAt(REPORTING) == '1') {
                    return false;
                }
            }
        } catch (IOException e) {
            return true; // no such bus here
        }
        return true;
    }

    private static String line(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.ISO_8859_1).strip();
    }
}
