package jdiff.runtime.pipeline;

import jdiff.runtime.loading.LoadMeter;
import jdiff.runtime.loading.LoadSettings;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.weights.Placement;

/**
 * Where a planned model goes and how its weights are read.
 *
 * @param meter counts the bytes while they are read
 * @param freeTextEncoder whether the text encoder is freed whenever a prompt has been encoded. Everything else is then loaded only
 *     after the first prompt, so that for this one text encoder and transformer are never in memory together; each further prompt
 *     loads the text encoder again, beside the rest. Results do not change.
 */
public record LoadOptions(Placement placement, LoadSettings settings, LoadMeter meter, boolean freeTextEncoder) {
    /** Everything stays in memory. */
    public LoadOptions(Placement placement, LoadSettings settings, LoadMeter meter) {
        this(placement, settings, meter, false);
    }

    /** Everything on one device, read in the way that suits this machine. */
    public static LoadOptions on(Device device) {
        return on(Placement.on(device));
    }

    /** As placed, read in the way that suits this machine. */
    public static LoadOptions on(Placement placement) {
        return new LoadOptions(placement, LoadSettings.automatic(), new LoadMeter());
    }

    /** With a text encoder that is freed after each prompt, or one that stays. */
    public LoadOptions freeingTextEncoder(boolean free) {
        return new LoadOptions(placement, settings, meter, free);
    }
}
