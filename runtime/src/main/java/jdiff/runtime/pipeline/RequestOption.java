package jdiff.runtime.pipeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a user can ask of one prompt, with Diffusers' names. One constant serves the command line ({@code --true-cfg-scale}), a
 * JSON line ({@code "true_cfg_scale"}) and a Java program alike; which of them a family knows is said by its
 * {@link PipelineFamily}.
 */
public enum RequestOption {
    NEGATIVE_PROMPT(Kind.TEXT, 0, 0, "what the picture should not show; switches guidance on, \" \" too"),
    HEIGHT(Kind.INTEGER, 1, 16_384, "pixels"),
    WIDTH(Kind.INTEGER, 1, 16_384, "pixels"),
    NUM_INFERENCE_STEPS(Kind.INTEGER, 1, 10_000, "denoising steps"),
    TRUE_CFG_SCALE(Kind.NUMBER, 0, 1000, "strength of classifier-free guidance, off at 1 or less"),
    GUIDANCE_SCALE(Kind.NUMBER, 0, 1000, "strength of embedded guidance, where the model has it"),
    NUM_IMAGES_PER_PROMPT(Kind.INTEGER, 1, 1024, "pictures, each with the next seed"),
    MAX_SEQUENCE_LENGTH(Kind.INTEGER, 1, 1024, "text tokens, longer prompts are cut"),
    SIGMAS(Kind.NUMBERS, 0, 1, "noise levels, one for each step, falling"),
    SEED(Kind.LONG, 0, Long.MAX_VALUE, "of the noise; the same seed gives the same picture"),
    OUTPUT_TYPE(Kind.CHOICE, 0, 0, "png, or latent for the result before the decoder as safetensors");

    /** Java type of a value: String, Integer, Double, Long, {@code List<Double>}, {@link OutputType}. */
    public enum Kind {
        TEXT,
        INTEGER,
        NUMBER,
        NUMBERS,
        LONG,
        CHOICE
    }

    private final Kind kind;
    private final double min;
    private final double max;
    private final String help;

    RequestOption(Kind kind, double min, double max, String help) {
        this.kind = kind;
        this.min = min;
        this.max = max;
        this.help = help;
    }

    /** The name in Diffusers and in JSON, for instance {@code true_cfg_scale}. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    public Kind kind() {
        return kind;
    }

    /** A few words for the help text. */
    public String help() {
        return help;
    }

    /** The option of that {@link #key}, or null. */
    public static @Nullable RequestOption ofKey(String key) {
        return Arrays.stream(values())
                .filter(o -> o.key().equals(key))
                .findFirst()
                .orElse(null);
    }

    /**
     * The value as the Java type of this option: from a String as typed on a command line, or from what a JSON reader or a
     * program gives (numbers of any type, lists of numbers).
     *
     * @throws IllegalArgumentException naming the option, what is allowed and the value
     */
    public Object parse(Object value) {
        return switch (kind) {
            case TEXT -> text(value);
            case INTEGER -> Math.toIntExact(integer(value));
            case LONG -> integer(value);
            case NUMBER -> number(value);
            case NUMBERS -> numbers(value);
            case CHOICE -> choice(value);
        };
    }

    private String text(Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw refusal("a text", value);
    }

    private long integer(Object value) {
        long parsed;
        if (value instanceof Integer || value instanceof Long) {
            parsed = ((Number) value).longValue();
        } else if (value instanceof String text) {
            try {
                parsed = Long.parseLong(text.strip());
            } catch (NumberFormatException e) {
                throw refusal(range("an integer"), value);
            }
        } else {
            throw refusal(range("an integer"), value);
        }
        if (parsed < min || parsed > max) {
            throw refusal(range("an integer"), value);
        }
        return parsed;
    }

    private Double number(Object value) {
        double parsed;
        if (value instanceof Number number) {
            parsed = number.doubleValue();
        } else if (value instanceof String text) {
            try {
                parsed = Double.parseDouble(text.strip());
            } catch (NumberFormatException e) {
                throw refusal(range("a number"), value);
            }
        } else {
            throw refusal(range("a number"), value);
        }
        if (!(parsed >= min && parsed <= max)) { // refuses NaN too
            throw refusal(range("a number"), value);
        }
        return parsed;
    }

    private List<Double> numbers(Object value) {
        List<?> items = value instanceof List<?> list
                ? list
                : Arrays.asList(String.valueOf(value).split(",", -1));
        List<Double> parsed = new ArrayList<>(items.size());
        for (Object item : items) {
            parsed.add(number(item));
        }
        if (parsed.isEmpty()) {
            throw refusal("at least one number", value);
        }
        return List.copyOf(parsed);
    }

    private OutputType choice(Object value) {
        for (OutputType type : OutputType.values()) {
            if (value == type || type.word().equals(value)) {
                return type;
            }
        }
        throw refusal("png or latent", value);
    }

    private String range(String what) {
        String top = max == Long.MAX_VALUE ? "2^63-1" : max == Math.rint(max) ? Long.toString((long) max) : "" + max;
        return what + " from " + (long) min + " to " + top;
    }

    private IllegalArgumentException refusal(String wanted, Object value) {
        return new IllegalArgumentException(key() + " must be " + wanted + ", not \"" + value + "\"");
    }
}
