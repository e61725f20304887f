package jdiff.runtime.natives;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;

/** The mounted file systems of this process, as far as they decide whether a library may be loaded from a folder. */
record Mounts(List<Mount> mounts) {
    record Mount(Path point, boolean executes) {}

    /** From a file in the format of {@code /proc/self/mountinfo}; without one every folder is taken to be fit. */
    static Mounts of(Path mountinfo) throws IOException {
        if (!Files.isReadable(mountinfo)) {
            return new Mounts(List.of());
        }
        return new Mounts(Files.readAllLines(mountinfo, StandardCharsets.ISO_8859_1).stream()
                .map(line -> line.split(" ", 7))
                .filter(fields -> fields.length == 7)
                .map(fields -> new Mount(Path.of(unescaped(fields[4])), !("," + fields[5] + ",").contains(",noexec,")))
                .toList());
    }

    void requireExecution(Path folder) throws FaultException {
        Mount nearest = null;
        for (Mount mount : mounts) {
            // Of equals the last counts: it lies over the earlier ones.
            if (folder.startsWith(mount.point())
                    && (nearest == null
                            || mount.point().getNameCount() >= nearest.point().getNameCount())) {
                nearest = mount;
            }
        }
        if (nearest != null && !nearest.executes()) {
            throw new FaultException(
                    Fault.CONFIG,
                    "the cache folder " + folder + " lies on " + nearest.point()
                            + ", which is mounted noexec: native libraries cannot be loaded from it; set JDIFF_CACHE_DIR to a"
                            + " folder on another file system");
        }
    }

    /** Space, tab, newline and backslash stand as three octal digits; the bytes are those of UTF-8. */
    private static String unescaped(String field) {
        StringBuilder bytes = new StringBuilder();
        for (int i = 0; i < field.length(); i++) {
            if (field.charAt(i) == '\\' && i + 3 < field.length()) {
                bytes.append((char) Integer.parseInt(field.substring(i + 1, i + 4), 8));
                i += 3;
            } else {
                bytes.append(field.charAt(i));
            }
        }
        return new String(bytes.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }
}
