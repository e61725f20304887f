package jdiff.cli.generate;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.pipeline.ComponentDTypes;
import jdiff.runtime.pipeline.RequestOption;

/** The small model that comes with jdiff, used where no other is named, with defaults of its own. */
final class DemoModel {
    static final List<String> PROMPTS = List.of(
            "a red circle",
            "a blue star above a green square",
            "two pink hearts on a black background",
            "a yellow cross left of a purple diamond");

    /** Small layers gain nothing from bfloat16, and float32 is what Diffusers' own default makes of them. */
    static final ComponentDTypes DTYPES = ComponentDTypes.parse("float32");

    static final Map<RequestOption, Object> OPTIONS = Map.of(
            RequestOption.HEIGHT, 128,
            RequestOption.WIDTH, 128,
            RequestOption.NUM_INFERENCE_STEPS, 20,
            RequestOption.NEGATIVE_PROMPT, " ");

    /** How it is called in the manifest: its folder differs between installations. */
    static final String NAME = "demo";

    private DemoModel() {}

    /**
     * Its folder in the installation, which the start script names in {@code jdiff.home}.
     *
     * @throws FaultException NO_INPUT if it is not there
     */
    static Path folder(Map<String, String> environment) throws FaultException {
        String home = System.getProperty("jdiff.home", environment.getOrDefault("JDIFF_HOME", ""));
        Path folder = Path.of(home.isEmpty() ? "." : home, "models", "demo");
        if (!Files.isDirectory(folder)) {
            throw new FaultException(
                    Fault.NO_INPUT,
                    "the demo model is not at " + folder.toAbsolutePath()
                            + "; name a model with --model, or set JDIFF_HOME to the folder where jdiff is installed");
        }
        return folder;
    }
}
