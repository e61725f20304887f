package jdiff.cli.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files and variables that checks read.
 *
 * @param root the root of the file system; another folder in tests
 */
public record Machine(Path root, Map<String, String> variables) {
    /** This machine. */
    public static Machine here() {
        return new Machine(Path.of("/"), System.getenv());
    }

    Path path(String absolute) {
        return root.resolve(absolute.substring(1));
    }

    /** The file's text, or an empty one where it cannot be read. */
    String text(String absolute) {
        try {
            return Files.readString(path(absolute), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    /** Names in a folder that match a glob, sorted; none where it cannot be read. */
    List<String> names(String folder, String glob) {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(path(folder), glob)) {
            entries.forEach(entry -> names.add(String.valueOf(entry.getFileName())));
        } catch (IOException e) {
            return List.of();
        }
        Collections.sort(names);
        return names;
    }

    @Nullable String variable(String name) {
        return variables.get(name);
    }

    /** The rest of the first line that begins with {@code start}, or an empty text. */
    static String line(String text, String start) {
        for (String line : text.lines().toList()) {
            if (line.startsWith(start)) {
                return line.substring(start.length()).strip();
            }
        }
        return "";
    }

    /** Whether a program stands in PATH. */
    boolean hasProgram(String name) {
        String path = variables.getOrDefault("PATH", "/usr/bin:/bin");
        for (String folder : path.split(":", -1)) {
            if (folder.startsWith("/") && Files.isExecutable(path(folder).resolve(name))) {
                return true;
            }
        }
        return false;
    }

    static String gib(long bytes) {
        return String.format(Locale.ROOT, "%.1f GiB", bytes / (double) (1L << 30));
    }
}
