package jdiff.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArgumentFileTest {
    @TempDir
    private Path directory;

    /** Prints its arguments so that each is told from its neighbours. */
    public static final class Echo {
        private Echo() {}

        public static void main(String[] args) {
            for (String word : args) {
                System.out.write(
                        word.getBytes(StandardCharsets.UTF_8), 0, word.getBytes(StandardCharsets.UTF_8).length);
                System.out.write(0);
            }
            System.out.flush();
        }
    }

    @Test
    void words_reach_the_jvm_unchanged() throws IOException, InterruptedException {
        List<String> words = List.of(
                "plain",
                "",
                "with space",
                "@file",
                "\"quoted\"",
                "it's",
                "back\\slash\\n",
                "new\nline",
                "tab\tcr\rff\f",
                "#no comment",
                "-Xmx1g",
                "$HOME `x` *",
                "ärger 日本 😀",
                "");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                Echo.class.getName()));
        command.addAll(words);
        Path file = directory.resolve("a b.args");
        var builder = new ProcessBuilder(ArgumentFile.write(file, command));
        builder.environment().put("LC_ALL", "C.UTF-8");
        Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        assertThat(output).isEqualTo(String.join("\0", words) + "\0");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }
}
