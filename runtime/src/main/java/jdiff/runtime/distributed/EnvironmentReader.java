package jdiff.runtime.distributed;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import jdiff.runtime.distributed.WorkerEnvironment.DeviceChoice;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import org.jspecify.annotations.Nullable;

/** Environment variables as numbers, flags and durations; each message names the variable, its value and what is allowed. */
final class EnvironmentReader {
    private final Map<String, String> variables;

    EnvironmentReader(Map<String, String> variables) {
        this.variables = variables;
    }

    /** The trimmed value, or null where it is unset or blank. */
    @Nullable String text(String name) {
        String value = variables.get(name);
        return value == null || value.isBlank() ? null : value.strip();
    }

    String required(String name) {
        return Objects.requireNonNull(text(name), name);
    }

    int number(String name, int min, int max, int otherwise) throws FaultException {
        return text(name) == null ? otherwise : number(name, min, max);
    }

    int number(String name, int min, int max) throws FaultException {
        String value = required(name);
        try {
            int number = Integer.parseInt(value);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        String range = max == Integer.MAX_VALUE ? "of at least " + min : "from " + min + " to " + max;
        throw wrong(name, "an integer " + range, value);
    }

    int below(String name, int limit, String limitName) throws FaultException {
        String value = required(name);
        int number = number(name, 0, Integer.MAX_VALUE);
        if (number >= limit) {
            throw wrong(name, "less than " + limitName + " (" + limit + ")", value);
        }
        return number;
    }

    boolean flag(String name) throws FaultException {
        String value = text(name);
        if (value == null) {
            return false;
        }
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "1", "true", "yes" -> true;
            case "0", "false", "no" -> false;
            default -> throw wrong(name, "True or False", value);
        };
    }

    /** Seconds with an optional {@code s}; {@code auto} or unset: {@code automatic}; 0 means no limit. */
    Duration seconds(String name, Duration automatic) throws FaultException {
        String value = text(name);
        if (value == null || value.equalsIgnoreCase("auto")) {
            return automatic;
        }
        String digits =
                value.endsWith("s") ? value.substring(0, value.length() - 1).strip() : value;
        try {
            double seconds = Double.parseDouble(digits);
            if (seconds >= 0 && seconds <= 1e9) {
                return Duration.ofMillis(Math.round(seconds * 1000));
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw wrong(name, "auto or a number of seconds, 0 for no limit", value);
    }

    /** The first number of OpenMP's list (one per nesting level); 0 if unset. */
    int threads(String name) throws FaultException {
        String value = text(name);
        if (value == null) {
            return 0;
        }
        int comma = value.indexOf(',');
        String first = comma < 0 ? value : value.substring(0, comma).strip();
        return new EnvironmentReader(Map.of(name, first)).number(name, 1, 1 << 16, 0);
    }

    DeviceChoice device(String name) throws FaultException {
        String value = text(name);
        if (value == null) {
            return DeviceChoice.AUTO;
        }
        for (DeviceChoice choice : DeviceChoice.values()) {
            if (choice.word().equals(value.toLowerCase(Locale.ROOT))) {
                return choice;
            }
        }
        throw wrong(name, "auto, cuda or cpu", value);
    }

    private static FaultException wrong(String name, String wanted, String found) {
        return new FaultException(
                Fault.CONFIG, "environment variable " + name + " must be " + wanted + ", got " + found);
    }
}
