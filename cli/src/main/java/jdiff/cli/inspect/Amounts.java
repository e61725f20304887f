package jdiff.cli.inspect;

import java.util.Locale;

/** Numbers as people read them. */
final class Amounts {
    private static final String[] UNITS = {"kB", "MB", "GB", "TB", "PB", "EB"};

    private Amounts() {}

    /** In powers of ten, with one decimal: {@code 40.9 GB}. */
    static String bytes(long bytes) {
        double value = bytes;
        int unit = -1;
        // 999.95 would be shown as 1000.0.
        while (value >= (unit < 0 ? 1000 : 999.95) && unit < UNITS.length - 1) {
            value /= 1000;
            unit++;
        }
        return unit < 0 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %s", value, UNITS[unit]);
    }

    /** {@code 1 file}, {@code 1,433 files}. */
    static String count(long number, String noun) {
        return String.format(Locale.ROOT, "%,d %s%s", number, noun, number == 1 ? "" : "s");
    }

    static String percent(long part, long whole) {
        return whole == 0 ? "-" : String.format(Locale.ROOT, "%.1f %%", 100.0 * part / whole);
    }
}
