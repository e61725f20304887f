package jdiff.cli.generate;

import jdiff.runtime.pipeline.ComponentDTypes;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which model, and in which precision. */
final class ModelOptions {
    @Option(
            names = "--model",
            paramLabel = "MODEL",
            description =
                    "A Diffusers folder, or a hub id owner/name in the local hub cache (default: the small demo model that comes"
                            + " with jdiff).")
    @Nullable String model;

    @Option(
            names = "--dtype",
            paramLabel = "TYPE",
            description =
                    "auto (as stored), float32, bfloat16 or float16; then, for single components, ,NAME=TYPE as in"
                            + " bfloat16,vae=float32 (default: auto; for the demo model float32).")
    @Nullable String dtype;

    /** What {@code --dtype} says, or the default of the model. */
    ComponentDTypes dtypes() {
        if (dtype != null) {
            return ComponentDTypes.parse(dtype);
        }
        return model == null ? DemoModel.DTYPES : ComponentDTypes.AUTO;
    }
}
