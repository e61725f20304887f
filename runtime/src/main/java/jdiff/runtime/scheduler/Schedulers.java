package jdiff.runtime.scheduler;

import jdiff.runtime.config.Config;
import jdiff.runtime.fault.FaultException;

/** Schedulers by the class name in {@code scheduler_config.json}. */
public final class Schedulers {
    private Schedulers() {}

    /**
     * The scheduler that {@code config} describes.
     *
     * @throws FaultException BAD_INPUT naming key and value if it asks for something that is not supported
     */
    public static Scheduler read(Config config) throws FaultException {
        config.requireValue("_class_name", FlowMatchEuler.CLASS_NAME);
        return FlowMatchEuler.read(config);
    }
}
