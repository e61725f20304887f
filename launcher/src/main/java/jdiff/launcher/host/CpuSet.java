package jdiff.launcher.host;

import java.util.BitSet;

/** The kernel's list format for CPUs: {@code 0-3,8,10-11}. */
public final class CpuSet {
    private static final int LIMIT = 1 << 16;

    private CpuSet() {}

    /** Parses a list; empty text is the empty set. Throws IllegalArgumentException for anything else that is not a list. */
    public static BitSet parse(String text) {
        var cpus = new BitSet();
        String list = text.strip();
        if (list.isEmpty()) {
            return cpus;
        }
        for (String part : list.split(",", -1)) {
            int dash = part.indexOf('-');
            int first = number(dash < 0 ? part : part.substring(0, dash), text);
            int last = dash < 0 ? first : number(part.substring(dash + 1), text);
            if (last < first) {
                throw new IllegalArgumentException("CPU list '" + text + "': " + part + " runs backwards");
            }
            cpus.set(first, last + 1);
        }
        return cpus;
    }

    private static int number(String digits, String text) {
        try {
            int value = Integer.parseInt(digits.strip());
            if (value >= 0 && value < LIMIT) {
                return value;
            }
        } catch (NumberFormatException e) {
            // The message below says all there is to say.
        }
        throw new IllegalArgumentException("CPU list '" + text + "': '" + digits + "' is not a CPU number");
    }
}
