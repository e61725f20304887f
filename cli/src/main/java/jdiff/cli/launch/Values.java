package jdiff.cli.launch;

import java.math.BigDecimal;
import java.time.Duration;

/** Reads option values; each error names the option, what was found and what is allowed. */
final class Values {
    private static final BigDecimal MAX_SECONDS = BigDecimal.valueOf(1_000_000);

    private Values() {}

    static int integer(String option, String text, int min, int max) {
        try {
            int value = Integer.parseInt(text.strip());
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            // The message below says all there is to say.
        }
        String range = max == Integer.MAX_VALUE ? "of at least " + min : "from " + min + " to " + max;
        throw new IllegalArgumentException(option + " must be a whole number " + range + ", found '" + text + "'");
    }

    static Duration seconds(String option, String text) {
        try {
            var value = new BigDecimal(text.strip());
            if (value.signum() >= 0 && value.compareTo(MAX_SECONDS) <= 0) {
                return Duration.ofMillis(value.movePointRight(3).longValue());
            }
        } catch (NumberFormatException e) {
            // The message below says all there is to say.
        }
        throw new IllegalArgumentException(option + " must be a number of seconds, found '" + text + "'");
    }

    /** One of a few words. */
    static String word(String option, String text, String... allowed) {
        for (String word : allowed) {
            if (word.equals(text)) {
                return word;
            }
        }
        throw new IllegalArgumentException(
                option + " must be " + String.join(" or ", allowed) + ", found '" + text + "'");
    }
}
