package jdiff.launcher.report;

import java.util.Map;

/** Linux signal numbers and names. */
public final class Signals {
    public static final int BASE = 128;

    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(1, "HUP"),
            Map.entry(2, "INT"),
            Map.entry(3, "QUIT"),
            Map.entry(4, "ILL"),
            Map.entry(5, "TRAP"),
            Map.entry(6, "ABRT"),
            Map.entry(7, "BUS"),
            Map.entry(8, "FPE"),
            Map.entry(9, "KILL"),
            Map.entry(10, "USR1"),
            Map.entry(11, "SEGV"),
            Map.entry(12, "USR2"),
            Map.entry(13, "PIPE"),
            Map.entry(14, "ALRM"),
            Map.entry(15, "TERM"),
            Map.entry(24, "XCPU"),
            Map.entry(25, "XFSZ"));

    private Signals() {}

    /** {@code SEGV} for 11; the number itself where it has no common name. */
    public static String name(int number) {
        return NAMES.getOrDefault(number, Integer.toString(number));
    }

    /** The number of a name without SIG; 0 if it is not known. */
    public static int number(String name) {
        return NAMES.entrySet().stream()
                .filter(entry -> entry.getValue().equals(name))
                .mapToInt(Map.Entry::getKey)
                .findFirst()
                .orElse(0);
    }
}
