package jdiff.runtime.nn;

import java.util.concurrent.atomic.LongAdder;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Movable;

/**
 * The way from the device of one part of a model to that of the next; none where they are the same.
 *
 * @param from where values are
 * @param to where they are needed
 */
public record Seam(Device from, Device to) {
    private static final LongAdder CROSSINGS = new LongAdder();

    /** The values at the other end, owned by the current scope if they had to be moved. */
    public <T extends Movable<T>> T cross(T values) {
        if (from.equals(to)) {
            return values;
        }
        CROSSINGS.increment();
        return values.to(to);
    }

    /** How often values of this process crossed a seam between two devices. */
    public static long crossings() {
        return CROSSINGS.sum();
    }
}
