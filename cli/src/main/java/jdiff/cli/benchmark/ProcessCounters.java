package jdiff.cli.benchmark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the kernel counts of this process. */
final class ProcessCounters {
    private ProcessCounters() {}

    /** Bytes that system calls have read, from wherever: {@code rchar}. */
    static long readBySystemCalls() {
        return number("/proc/self/io", "rchar:");
    }

    /** Bytes that came from a disk because of this process: {@code read_bytes}. */
    static long readFromDisk() {
        return number("/proc/self/io", "read_bytes:");
    }

    /** Resident memory that belongs to no file, in bytes. */
    static long anonymousBytes() {
        return number("/proc/self/status", "RssAnon:") << 10;
    }

    /** Looked at while a load is timed: as little work as can be. */
    private static long number(String file, String key) {
        String text;
        try {
            text = Files.readString(Path.of(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new IllegalStateException(file + " cannot be read", e);
        }
        int at = text.indexOf(key);
        if (at < 0) {
            throw new IllegalStateException(file + " has no " + key);
        }
        int from = at + key.length();
        while (!Character.isDigit(text.charAt(from))) {
            from++;
        }
        int to = from;
        while (Character.isDigit(text.charAt(to))) { // a line feed ends the line
            to++;
        }
        return Long.parseLong(text, from, to, 10);
    }
}
