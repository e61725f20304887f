package jdiff.cli.gpu;

import java.util.Locale;

/**
 * A line of the table.
 *
 * @param toDiffusers PSNR in dB against the reference, NaN if there is none
 * @param toCpu PSNR in dB against the CPU, NaN for the CPU itself
 * @param note why it failed; empty if it did not
 */
record Row(
        String name,
        String dtype,
        String device,
        double toDiffusers,
        double toCpu,
        double secondsPerStep,
        String note) {
    static final String HEADER = String.format(
            Locale.ROOT,
            "%-18s %-9s %-7s %12s %10s %10s  %s",
            "case",
            "dtype",
            "device",
            "Diffusers dB",
            "CPU dB",
            "s/step",
            "");

    static Row failure(String name, String dtype, String device, String note) {
        return new Row(name, dtype, device, Double.NaN, Double.NaN, Double.NaN, note);
    }

    boolean isGood() {
        return note.isEmpty();
    }

    String line() {
        return String.format(
                        Locale.ROOT,
                        "%-18s %-9s %-7s %12s %10s %10s  %s",
                        name,
                        dtype,
                        device,
                        number(toDiffusers, "%.1f"),
                        number(toCpu, "%.1f"),
                        number(secondsPerStep, "%.4f"),
                        isGood() ? "ok" : "FAILED: " + note)
                .stripTrailing();
    }

    private static String number(double value, String format) {
        if (Double.isNaN(value)) {
            return "-";
        }
        return Double.isInfinite(value) ? "equal" : String.format(Locale.ROOT, format, value);
    }
}
