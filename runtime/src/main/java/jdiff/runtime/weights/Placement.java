package jdiff.runtime.weights;

import jdiff.runtime.tensor.Device;

/**
 * On which device each parameter lives. Those of one block ({@link LoadPlan#blocks}) must live together, and so must those of a
 * component that are in no block, on the device of the component as a whole.
 */
@FunctionalInterface
public interface Placement {
    /**
     * The device of what is called so.
     *
     * @param component for instance {@code transformer}
     * @param name of a parameter or of a module, for instance {@code transformer_blocks.3}; empty for the component as a whole
     */
    Device of(String component, String name);

    /** Everything on one device. */
    static Placement on(Device device) {
        return (component, name) -> device;
    }
}
