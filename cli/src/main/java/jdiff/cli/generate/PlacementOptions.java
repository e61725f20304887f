package jdiff.cli.generate;

import jdiff.runtime.placement.DeviceMap;
import jdiff.runtime.placement.MaxMemory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** On which devices the model lives, and for how long. */
final class PlacementOptions {
    @Option(
            names = "--device-map",
            paramLabel = "MAP",
            description =
                    "cuda or cpu: all on this worker's device; cuda:N: all on that one; balanced (or auto): spread over all visible"
                            + " GPUs by free memory; or JSON as in {\"transformer\": 0, \"vae\": \"cuda:1\", \"text_encoder\":"
                            + " \"cpu\"}, where keys may name blocks (transformer.transformer_blocks.12), the longest one counts and"
                            + " \"\" means everything. Several devices give memory, not speed, and need a process alone on its"
                            + " node (default: cuda where a GPU is visible, else cpu).")
    @Nullable String deviceMap;

    @Option(
            names = "--max-memory",
            paramLabel = "DEV=SIZE,…",
            description =
                    "Most bytes of weights on a device, as in 0=20GiB,cpu=64GiB. With --dry-run devices that are named and not"
                            + " there are taken for there.")
    @Nullable String maxMemory;

    @Option(
            names = "--free-text-encoder",
            description =
                    "Free the text encoder after each prompt. Transformer and VAE are loaded when the first prompt is encoded, so"
                            + " that a single prompt needs memory for the larger of both, not for their sum. Each further prompt loads"
                            + " the text encoder again, beside them; weights mapped from a file cost almost nothing then. Pictures do"
                            + " not change.")
    boolean freeTextEncoder;

    /**
     * The options as data.
     *
     * @throws IllegalArgumentException if a value means nothing
     */
    PlacementChoice choice() {
        return new PlacementChoice(
                deviceMap == null ? null : DeviceMap.parse(deviceMap),
                maxMemory == null ? MaxMemory.NONE : MaxMemory.parse(maxMemory),
                freeTextEncoder);
    }
}
