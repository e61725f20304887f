package jdiff.cli.doctor;

import java.util.Locale;

/**
 * One line of the report.
 *
 * @param name subject, one word
 * @param text what was found
 * @param advice what to do about it; empty if nothing
 */
public record Finding(String name, Status status, String text, String advice) {
    /** How it is: a failure stops jobs, a warning may slow them down or limit them. */
    public enum Status {
        OK,
        WARN,
        FAIL;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static Finding ok(String name, String text) {
        return new Finding(name, Status.OK, text, "");
    }

    static Finding warn(String name, String text, String advice) {
        return new Finding(name, Status.WARN, text, advice);
    }

    static Finding fail(String name, String text, String advice) {
        return new Finding(name, Status.FAIL, text, advice);
    }
}
