package jdiff.runtime.placement;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import jdiff.runtime.config.Shown;

/** Numbers of bytes as people write and read them: GB = 10^9, GiB = 2^30. */
public final class ByteSize {
    private static final Map<String, Long> UNITS = Map.of(
            "",
            1L,
            "B",
            1L,
            "KB",
            1_000L,
            "KIB",
            1L << 10,
            "MB",
            1_000_000L,
            "MIB",
            1L << 20,
            "GB",
            1_000_000_000L,
            "GIB",
            1L << 30);
    private static final int MAX_SHOWN = 80;

    private ByteSize() {}

    /**
     * Bytes of {@code 20GiB}, {@code 1.5 GB}, {@code 512MiB} or {@code 1000000}.
     *
     * @throws NumberFormatException if it is no such number
     */
    public static long parse(String text) {
        String word = text.strip();
        int end = 0;
        while (end < word.length() && (Character.isDigit(word.charAt(end)) || word.charAt(end) == '.')) {
            end++;
        }
        Long unit = UNITS.get(word.substring(end).strip().toUpperCase(Locale.ROOT));
        String number = word.substring(0, end);
        if (unit == null || !number.matches("[0-9]{1,18}(\\.[0-9]{1,9})?")) {
            throw refusal(text);
        }
        BigDecimal bytes = new BigDecimal(number).multiply(BigDecimal.valueOf(unit));
        if (bytes.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            throw refusal(text);
        }
        return bytes.longValue();
    }

    private static NumberFormatException refusal(String text) {
        return new NumberFormatException(
                "\"" + Shown.cut(text, MAX_SHOWN) + "\" is no size; wanted bytes, or a number with MB, MiB, GB or GiB");
    }

    /** For instance {@code 3 kB}, {@code 29 MB} or {@code 40.9 GB}. */
    public static String shown(long bytes) {
        if (bytes < 10_000_000_000L) {
            return bytes < 1_000_000 ? Math.round(bytes / 1e3) + " kB" : Math.round(bytes / 1e6) + " MB";
        }
        return String.format(Locale.ROOT, "%.1f GB", bytes / 1e9);
    }
}
