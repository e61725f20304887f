package jdiff.launcher.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The host's name from the kernel; it is never looked up on the network. */
final class HostName {
    private HostName() {}

    static String read() {
        try {
            String name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
            return name.isEmpty() ? "localhost" : name;
        } catch (IOException e) {
            return "localhost";
        }
    }
}
