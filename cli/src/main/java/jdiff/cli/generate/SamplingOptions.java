package jdiff.cli.generate;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import jdiff.runtime.pipeline.RequestOption;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/** How each picture is made: one option for each {@link RequestOption}. */
final class SamplingOptions {
    private final Map<RequestOption, Object> values = new EnumMap<>(RequestOption.class);

    /** Called by picocli with the mixin's own specification, to which the options are added. */
    @Spec(Spec.Target.SELF)
    void addTo(CommandSpec spec) {
        for (RequestOption option : RequestOption.values()) {
            spec.addOption(option(option));
        }
    }

    private OptionSpec option(RequestOption option) {
        return OptionSpec.builder("--" + option.key().replace('_', '-'))
                .paramLabel(label(option.kind()))
                .type(Object.class)
                .arity("1")
                .description(description(option))
                .converters(text -> {
                    try {
                        return option.parse(text);
                    } catch (IllegalArgumentException e) {
                        throw new CommandLine.TypeConversionException(String.valueOf(e.getMessage()));
                    }
                })
                .getter(new Binding(option))
                .setter(new Binding(option))
                .build();
    }

    private static String label(RequestOption.Kind kind) {
        return switch (kind) {
            case TEXT -> "TEXT";
            case INTEGER, LONG -> "N";
            case NUMBER -> "X";
            case NUMBERS -> "X,X,…";
            case CHOICE -> "TYPE";
        };
    }

    private static String description(RequestOption option) {
        String help = option.help();
        // Choices are named first, as they are typed.
        String sentence = option.kind() == RequestOption.Kind.CHOICE
                ? help
                : help.substring(0, 1).toUpperCase(Locale.ROOT) + help.substring(1);
        // picocli takes % as the start of a format.
        return sentence.replace("%", "%%")
                + (option == RequestOption.SEED
                        ? "; prompt i gets SEED + i times its number of pictures (default: one is drawn and shown)."
                        : ".");
    }

    /** The options that were given, without the seed. */
    Map<RequestOption, Object> options() {
        Map<RequestOption, Object> options = new EnumMap<>(RequestOption.class);
        options.putAll(values);
        options.remove(RequestOption.SEED);
        return Collections.unmodifiableMap(options);
    }

    OptionalLong seed() {
        return values.get(RequestOption.SEED) instanceof Long seed ? OptionalLong.of(seed) : OptionalLong.empty();
    }

    /** Ties a picocli option to {@link #values}; the contract of both interfaces is about fields, which may hold null. */
    private final class Binding implements CommandLine.Model.IGetter, CommandLine.Model.ISetter {
        private final RequestOption option;

        Binding(RequestOption option) {
            this.option = option;
        }

        @Override
        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals", "NullAway"})
        public <T> T get() {
            return (T) values.get(option);
        }

        @Override
        @SuppressWarnings({"unchecked", "NullAway"})
        public <T> T set(T value) {
            return (T) (value == null ? values.remove(option) : values.put(option, value));
        }
    }
}
