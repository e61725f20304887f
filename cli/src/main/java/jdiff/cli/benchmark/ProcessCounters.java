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

    private static long number(String file, String key) {
        try {
            for (String line : Files.readAllLines(Path.of(file), StandardCharsets.ISO_8859_1)) {
                if (line.startsWith(key)) {
                    return Long.parseLong(line.replaceAll("[^0-9]", ""));
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(file + " cannot be read", e);
        }
        throw new IllegalStateException(file + " has no " + key);
    }
}
