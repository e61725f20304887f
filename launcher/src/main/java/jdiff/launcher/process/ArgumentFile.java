package jdiff.launcher.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** A JVM command line in a file (0600): prompts stay out of {@code ps}, and bytes are UTF-8 whatever the launcher's locale. */
final class ArgumentFile {
    private ArgumentFile() {}

    /** Writes everything after the executable and returns the short command. */
    static List<String> write(Path file, List<String> command) throws IOException {
        var text = new StringBuilder();
        for (String word : command.subList(1, command.size())) {
            text.append(quote(word)).append('\n');
        }
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, text, StandardCharsets.UTF_8, StandardOpenOption.WRITE);
        return List.of(command.get(0), "@" + file);
    }

    /** Inside double quotes the JVM's launcher undoes these escapes. */
    static String quote(String word) {
        var text = new StringBuilder("\"");
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            switch (c) {
                case '\\', '"' -> text.append('\\').append(c);
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case '\t' -> text.append("\\t");
                case '\f' -> text.append("\\f");
                default -> text.append(c);
            }
        }
        return text.append('"').toString();
    }
}
