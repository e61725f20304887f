package jdiff.cli;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Values of options that the command line does not give: {@code JDIFF_<OPTION>}, then torchrun's {@code PET_<OPTION>}. */
public final class EnvironmentDefaults implements CommandLine.IDefaultValueProvider {
    private static final List<String> PREFIXES = List.of("JDIFF_", "PET_");

    private final Map<String, String> environment;

    public EnvironmentDefaults(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public @Nullable String defaultValue(ArgSpec argument) {
        String variable = argument instanceof OptionSpec option ? variable(option) : null;
        if (variable == null) {
            return null;
        }
        String value = environment.getOrDefault(variable, "");
        return argument.arity().max() == 0 ? bool(variable, value) : value;
    }

    /** The variable that sets an option; null if none does. */
    public @Nullable String variable(OptionSpec option) {
        if (option.usageHelp() || option.versionHelp() || !option.longestName().startsWith("--")) {
            return null;
        }
        String name = option.longestName().substring(2).replace('-', '_').toUpperCase(Locale.ROOT);
        for (String prefix : PREFIXES) {
            if (!environment.getOrDefault(prefix + name, "").isEmpty()) {
                return prefix + name;
            }
        }
        return null;
    }

    private static String bool(String variable, String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "1", "true", "yes" -> "true";
            case "0", "false", "no" -> "false";
            default ->
                throw new IllegalArgumentException(variable + "=" + value + ": expected 1, 0, true, false, yes or no");
        };
    }
}
