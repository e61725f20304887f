package jdiff.runtime.pipeline;

import jdiff.runtime.loading.LoadMeter;
import jdiff.runtime.loading.LoadSettings;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.weights.Placement;

/**
 * Where a planned model goes and how its weights are read.
 *
 * @param meter counts the bytes while they are read
 */
public record LoadOptions(Placement placement, LoadSettings settings, LoadMeter meter) {
    /** Everything on one device, read in the way that suits this machine. */
    public static LoadOptions on(Device device) {
        return new LoadOptions(Placement.on(device), LoadSettings.automatic(), new LoadMeter());
    }
}
