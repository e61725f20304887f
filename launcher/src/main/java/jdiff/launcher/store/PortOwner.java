package jdiff.launcher.store;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Names the process that holds a port, where this user may see it. */
final class PortOwner {
    private PortOwner() {}

    /** Text to append to a message, for instance {@code ", it belongs to process 4711 (python)"}; empty if unknown. */
    static String of(int port) {
        try {
            long inode = port == 0 ? -1 : SocketTable.listener(port);
            return inode < 0 ? "" : holder("socket:[" + inode + "]");
        } catch (IOException | RuntimeException e) {
            return "";
        }
    }

    private static String holder(String socket) throws IOException {
        try (var processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                if (holds(process, socket)) {
                    String name = Files.readString(process.resolve("comm")).strip();
                    return "; it belongs to process " + process.getFileName() + " (" + name + ")";
                }
            }
        }
        return "";
    }

    private static boolean holds(Path process, String socket) {
        try (var descriptors = Files.newDirectoryStream(process.resolve("fd"))) {
            for (Path descriptor : descriptors) {
                if (Files.readSymbolicLink(descriptor).toString().equals(socket)) {
                    return true;
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return false; // Another user's process, or it has just ended.
        }
        return false;
    }
}
