package jdiff.launcher.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Live processes of a group, from {@code /proc}. Zombies do not count: they hold nothing. */
final class ProcessTable {
    /** @param state the kernel's letter: R running, S sleeping, D uninterruptible, T stopped */
    record Member(long pid, char state, String name) {}

    private ProcessTable() {}

    /**
     * Members of a group that leads its own session; a number that the kernel has given to a foreign group meanwhile does not
     * match, since it belongs to another session.
     */
    static List<Member> group(long group) {
        List<Member> members = new ArrayList<>();
        try (var processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                add(process, group, members);
            }
        } catch (IOException | DirectoryIteratorException e) {
            return members;
        }
        return members;
    }

    private static void add(Path process, long group, List<Member> members) {
        try {
            String stat = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
            int name = stat.indexOf('(');
            int end = stat.lastIndexOf(')');
            String[] fields = stat.substring(end + 2).split(" ", 5); // state, parent, group, session, …
            char state = fields[0].charAt(0);
            if (Long.parseLong(fields[2]) == group
                    && Long.parseLong(fields[3]) == group
                    && state != 'Z'
                    && state != 'X') {
                members.add(new Member(
                        Long.parseLong(process.getFileName().toString()), state, stat.substring(name + 1, end)));
            }
        } catch (IOException | RuntimeException e) {
            return; // It has just ended.
        }
    }
}
