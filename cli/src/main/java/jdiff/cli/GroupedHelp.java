package jdiff.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Shows the options of a command under headings: one per mixin, in the order given, then the rest. */
public final class GroupedHelp {
    private GroupedHelp() {}

    /**
     * Replaces the option list of a command's help.
     *
     * @param headings mixin name → heading
     * @param rest heading of the options that belong to none
     */
    public static void install(CommandSpec command, Map<String, String> headings, String rest) {
        Map<String, String> ordered = new LinkedHashMap<>(headings);
        command.usageMessage().sectionMap().put(CommandLine.Model.UsageMessageSpec.SECTION_KEY_OPTION_LIST, help -> {
            CommandSpec spec = help.commandSpec();
            var text = new StringBuilder();
            List<OptionSpec> left = new ArrayList<>(spec.options());
            ordered.forEach((mixin, heading) -> {
                CommandSpec group = spec.mixins().get(mixin);
                if (group != null) {
                    List<OptionSpec> options = left.stream()
                            .filter(option -> group.findOption(option.longestName()) != null)
                            .toList();
                    left.removeAll(options);
                    section(help, heading, options, text);
                }
            });
            section(help, rest, left, text);
            return text.toString();
        });
    }

    /** Replaces the list of commands: one line each, with the first sentence of its description. */
    static void installCommands(CommandSpec root) {
        root.usageMessage().sectionMap().put(CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST, help -> {
            int width = root.subcommands().keySet().stream()
                    .mapToInt(String::length)
                    .max()
                    .orElse(0);
            var text = new StringBuilder();
            root.subcommands()
                    .forEach((name, command) -> text.append("  ")
                            .append(name)
                            .append(" ".repeat(width + 2 - name.length()))
                            .append(firstSentence(command.getCommandSpec()))
                            .append('\n'));
            return text.toString();
        });
    }

    private static String firstSentence(CommandSpec command) {
        String[] lines = command.usageMessage().description();
        String line = lines.length == 0 ? "" : lines[0].replace("%n", "");
        int end = line.indexOf(". ");
        return end < 0 ? line : line.substring(0, end + 1);
    }

    private static void section(Help help, String heading, List<OptionSpec> options, StringBuilder text) {
        List<OptionSpec> visible =
                options.stream().filter(option -> !option.hidden()).toList();
        if (visible.isEmpty()) {
            return;
        }
        text.append(help.colorScheme()
                .text("%n@|bold " + heading + "|@%n".formatted())
                .toString()
                .formatted());
        Help.Layout layout = help.createDefaultLayout();
        visible.forEach(option -> layout.addOption(option, help.parameterLabelRenderer()));
        text.append(layout);
    }
}
