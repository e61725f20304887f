package jdiff.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The words of the command line as the user typed them. In a C locale the JVM cannot decode them, so they are read again from
 * the kernel, as strict UTF-8.
 */
final class Arguments {
    private Arguments() {}

    /** Throws IllegalArgumentException for a word that is not valid UTF-8. */
    static List<String> exact(String[] args) {
        if (Arrays.stream(args).allMatch(word -> word.chars().allMatch(c -> c < 0x7f))) {
            return List.of(args);
        }
        try {
            return decode(Files.readAllBytes(Path.of("/proc/self/cmdline")), args.length);
        } catch (IOException e) {
            return List.of(args);
        }
    }

    /** The last words of a NUL-terminated list. */
    static List<String> decode(byte[] commandLine, int count) {
        List<String> words = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < commandLine.length; i++) {
            if (commandLine[i] == 0) {
                words.add(decode(commandLine, start, i));
                start = i + 1;
            }
        }
        return List.copyOf(words.subList(Math.max(0, words.size() - count), words.size()));
    }

    private static String decode(byte[] bytes, int from, int to) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, from, to - from))
                    .toString();
        } catch (CharacterCodingException e) {
            String shown = new String(bytes, from, to - from, StandardCharsets.UTF_8);
            throw new IllegalArgumentException("the argument '" + shown + "' is not valid UTF-8", e);
        }
    }
}
