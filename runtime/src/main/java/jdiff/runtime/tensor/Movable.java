package jdiff.runtime.tensor;

/** What can be brought to another device: a tensor, or several that are used together. */
@FunctionalInterface
public interface Movable<T> {
    /** The same values on {@code device}; this object itself where it is there already. */
    T to(Device device);
}
