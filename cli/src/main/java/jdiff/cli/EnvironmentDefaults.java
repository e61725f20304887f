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
        if (option.usageHelp() || option.versionHelp()) {
            return null;
        }
        for (String prefix : PREFIXES) {
            for (String name : option.names()) {
                String variable = prefix + bare(name).replace('-', '_').toUpperCase(Locale.ROOT);
                if (name.startsWith("--")
                        && !environment.getOrDefault(variable, "").isEmpty()) {
                    return variable;
                }
            }
        }
        return null;
    }

    /** The first long name of an option, without dashes. */
    public static String nameOf(OptionSpec option) {
        for (String name : option.names()) {
            if (name.startsWith("--")) {
                return bare(name);
            }
        }
        return bare(option.longestName());
    }

    private static String bare(String name) {
        return name.startsWith("--") ? name.substring(2) : name.substring(1);
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
