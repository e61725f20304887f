package jdiff.cli.generate;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import jdiff.runtime.config.ModelFolder;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.job.DpSplit;
import jdiff.runtime.job.JobPlanner;
import jdiff.runtime.job.JobSettings;
import jdiff.runtime.job.OutputNames;
import jdiff.runtime.job.PromptSource;
import jdiff.runtime.loading.LoadSettings;
import jdiff.runtime.pipeline.ComponentDTypes;
import jdiff.runtime.pipeline.GenerationRequest;
import jdiff.runtime.pipeline.PipelineFamily;
import jdiff.runtime.pipeline.PipelineOptions;
import jdiff.runtime.pipeline.Pipelines;
import jdiff.runtime.pipeline.RequestOption;
import org.jspecify.annotations.Nullable;

/**
 * One command line of {@code generate}.
 *
 * @param model as typed; null for the demo model
 * @param variant of the weight files; null for those without
 * @param strict whether tensors that the model has no use for are an error
 * @param verifyWeights whether files are compared with their digests
 * @param prompts of {@code --prompt}
 * @param promptsFile a file or {@code -}; null if there is none
 * @param standardInputCopy the launcher's copy of standard input, empty if there is none
 * @param outputDir null for the default
 * @param options as given, without the seed
 */
record GenerateSpec(
        @Nullable String model,
        ComponentDTypes dtypes,
        @Nullable String variant,
        boolean strict,
        LoadSettings loading,
        boolean verifyWeights,
        PlacementChoice placement,
        List<String> prompts,
        @Nullable String promptsFile,
        String standardInputCopy,
        @Nullable Path outputDir,
        OutputNames names,
        boolean embedPrompt,
        boolean overwrite,
        DpSplit split,
        Map<RequestOption, Object> options,
        OptionalLong seed) {
    /** What the prompt file is called if it is standard input. */
    static final String STANDARD_INPUT = "-";

    GenerateSpec {
        prompts = List.copyOf(prompts);
        options = Map.copyOf(options);
        if (!prompts.isEmpty() && promptsFile != null) {
            throw new IllegalArgumentException("--prompt and --prompts-file exclude each other; give one of them");
        }
        if (model != null && prompts.isEmpty() && promptsFile == null) {
            throw new IllegalArgumentException(
                    "no prompt: give --prompt \"…\" or --prompts-file FILE (only the demo model has prompts of its own)");
        }
    }

    boolean readsStandardInput() {
        return STANDARD_INPUT.equals(promptsFile);
    }

    /**
     * The folder of the model.
     *
     * @throws FaultException NO_INPUT naming the places searched
     */
    Path folder(Map<String, String> environment) throws FaultException {
        return model == null
                ? DemoModel.folder(environment)
                : ModelFolder.open(model).path();
    }

    /**
     * What holds for all prompts.
     *
     * @throws FaultException if the folder is no model of a supported family
     * @throws IllegalArgumentException if the family lacks an option, or cannot make what is asked for
     */
    JobSettings settings(Path folder) throws FaultException {
        PipelineFamily family = Pipelines.family(folder.toString());
        GenerationRequest request = GenerationRequest.of("").withDefaults(options);
        if (model == null) {
            request = request.withDefaults(DemoModel.OPTIONS);
        }
        family.complete(request);
        return new JobSettings(
                model == null ? DemoModel.NAME : model,
                family,
                dtypes.text(),
                request.options(),
                seed,
                names,
                embedPrompt);
    }

    /**
     * The prompts.
     *
     * @param standardInput the copy of standard input, if that is asked for
     * @throws FaultException if the file cannot be read
     */
    PromptSource source(@Nullable Path standardInput) throws FaultException {
        if (promptsFile == null) {
            return PromptSource.of(prompts.isEmpty() ? DemoModel.PROMPTS : prompts);
        }
        return standardInput == null
                ? PromptSource.file(Path.of(promptsFile))
                : PromptSource.standardInput(standardInput);
    }

    /** Which weights are wanted. */
    PipelineOptions pipelineOptions() {
        return PipelineOptions.DEFAULT
                .with(dtypes)
                .ofVariant(variant)
                .strictly(strict)
                .warning(false);
    }

    JobPlanner planner(JobSettings settings, PromptSource source, Path folder) {
        return new JobPlanner(settings, source, folder, outputDir, Path.of(""), overwrite);
    }
}
