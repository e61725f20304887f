package jdiff.launcher;

import java.util.ArrayList;
import java.util.List;
import jdiff.launcher.report.Texts;

/** The text of {@code --dry-run}: every option with its source, then each rank's node, device, command and environment. */
public final class PlanPrinter {
    private PlanPrinter() {}

    public static List<String> lines(LaunchPlan plan) {
        var texts = new Texts(plan.spec().host().environment());
        List<String> lines = new ArrayList<>();
        lines.add("options:");
        int width = plan.spec().settings().stream()
                .mapToInt(s -> s.name().length())
                .max()
                .orElse(0);
        for (Setting setting : plan.spec().settings()) {
            String name = setting.name() + " ".repeat(width - setting.name().length());
            lines.add(texts.line("  " + name + "  " + setting.value() + "  (" + setting.source() + ")"));
        }
        for (Preparation preparation : plan.spec().preparations()) {
            lines.add(texts.line(
                    "before the workers, unless " + preparation.marker() + " exists: " + preparation.label()));
        }
        for (ProcessSpec process : plan.processes(Bindings.symbolic(plan.spec()))) {
            lines.add("rank " + process.rank() + ":");
            lines.add(texts.line("  node     " + process.node()));
            lines.add(texts.line("  device   " + process.device()));
            lines.add(texts.line("  command  " + shell(process.command())));
            process.environment().forEach((name, value) -> lines.add(texts.line("  env      " + name + "=" + value)));
        }
        return lines;
    }

    /** A command as one could type it. */
    static String shell(List<String> command) {
        var text = new StringBuilder();
        for (String word : command) {
            text.append(text.isEmpty() ? "" : " ").append(quote(word));
        }
        return text.toString();
    }

    private static String quote(String word) {
        boolean plain = !word.isEmpty()
                && word.chars().allMatch(c -> Character.isLetterOrDigit(c) || "_-./:=,+@%".indexOf(c) >= 0);
        return plain ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
