package jdiff.runtime.safetensors;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jdiff.runtime.fault.FaultException;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The largest headers are parsed in a heap of 6 times their size, in a process of its own. */
class LargeHeaderTest {
    private static final String REST = "\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}";
    private static final String LONG = "x".repeat(SafetensorsHeader.MAX_NAME_BYTES - 12);

    @TempDir
    Path dir;

    /** Headers that need the most heap: by number of objects, by letters that take two bytes each, by one string. */
    enum Kind {
        MANY_TENSORS,
        LONG_NAMES,
        LONG_VALUE;

        /** Part {@code i} of the header; null after the last one. */
        String part(int i, long bytes) {
            return switch (this) {
                case MANY_TENSORS -> i < SafetensorsFile.MAX_TENSORS ? "\"" + Integer.toString(i, 36) + REST : null;
                case LONG_NAMES -> bytes < 99_990_000 ? "\"一" + LONG + String.format("%08d", i) + REST : null;
                case LONG_VALUE -> i == 0 ? "\"__metadata__\":{\"a\":\"一\\n" + "x".repeat(99_900_000) + "\"}" : null;
            };
        }

        int tensors(int parts) {
            return this == LONG_VALUE ? 0 : parts;
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_header_of_the_largest_size_needs_less_than_six_times_that(Kind kind) throws Exception {
        Path file = dir.resolve("model.safetensors");
        int parts = write(kind, file);
        long header = Files.size(file) - 8;
        assertThat(header).isBetween(40_000_000L, SafetensorsFile.MAX_HEADER_BYTES);
        // The collector and the classes take some more, whatever the header.
        long heap = header * 6 + (4 << 20);
        assertThat(inAnotherProcess(file, heap)).isEqualTo("tensors: " + kind.tensors(parts));
    }

    private static int write(Kind kind, Path file) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            out.write(new byte[8]);
            long bytes = 0;
            int parts = 0;
            for (String part = kind.part(0, 0); part != null; part = kind.part(++parts, bytes)) {
                byte[] text = ((parts == 0 ? "{" : ",") + part).getBytes(StandardCharsets.UTF_8);
                out.write(text);
                bytes += text.length;
            }
            out.write('}');
            out.flush();
            try (var channel = java.nio.channels.FileChannel.open(file, java.nio.file.StandardOpenOption.WRITE)) {
                channel.write(
                        ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, bytes + 1), 0);
            }
            return parts;
        }
    }

    private String inAnotherProcess(Path file, long heapBytes) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heapBytes / 1024 + "k",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Opener.class.getName(),
                file.toString()));
        Path log = dir.resolve("log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        // Far more than it takes: a hang must not stop the build.
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        return Files.readString(log).strip();
    }

    /** The other process. */
    static final class Opener {
        private Opener() {}

        public static void main(String[] args) throws FaultException {
            System.out.println("tensors: "
                    + SafetensorsFile.open(Path.of(args[0])).entries().size());
        }
    }
}
