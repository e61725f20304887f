package jdiff.launcher.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Whether stderr is a terminal, and how wide, as told to workers: {@code tty:<columns>} or {@code plain}. */
public final class Terminal {
    private static final int DEFAULT_COLUMNS = 80;

    private Terminal() {}

    public static String describe(Map<String, String> environment) {
        try {
            if (!isTerminal(2) || environment.getOrDefault("TERM", "dumb").equals("dumb")) {
                return "plain";
            }
            return "tty:" + columns(environment, target(2));
        } catch (IOException | RuntimeException e) {
            return "plain";
        }
    }

    /** Whether a descriptor of this process is a terminal. */
    public static boolean isTerminal(int descriptor) {
        try {
            String target = target(descriptor).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException e) {
            return false;
        }
    }

    private static Path target(int descriptor) throws IOException {
        return Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor));
    }

    private static int columns(Map<String, String> environment, Path terminal) {
        int preset = number(environment.getOrDefault("COLUMNS", ""));
        return preset > 0 ? preset : asked(terminal);
    }

    /** The JDK cannot ask the terminal for its size; {@code stty} can. */
    private static int asked(Path terminal) {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(terminal.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!stty.waitFor(500, TimeUnit.MILLISECONDS)) {
                stty.destroyForcibly();
                return DEFAULT_COLUMNS;
            }
            String[] size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                    .strip()
                    .split(" ", 2);
            int columns = size.length == 2 ? number(size[1]) : 0;
            return columns > 0 ? columns : DEFAULT_COLUMNS;
        } catch (IOException e) {
            return DEFAULT_COLUMNS;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return DEFAULT_COLUMNS;
        }
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
