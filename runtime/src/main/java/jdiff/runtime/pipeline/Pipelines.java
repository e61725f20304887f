package jdiff.runtime.pipeline;

import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import jdiff.runtime.config.ModelFolder;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.tensor.Device;

/** The model families, by the {@code _class_name} in their {@code model_index.json}. */
public final class Pipelines {
    private static final List<Entry> ENTRIES =
            List.of(new Entry(QwenImagePipeline.FAMILY, QwenImagePlan::of, QwenImagePlan::planners));

    private Pipelines() {}

    /** One family and how it is planned. */
    private record Entry(
            PipelineFamily family,
            Planner planner,
            BiFunction<ModelIndex, PipelineOptions, List<ComponentPlanner>> parts) {}

    private interface Planner {
        ModelPlan plan(ModelIndex index, PipelineOptions options) throws FaultException;
    }

    /**
     * Opens a model on the CPU with its stored dtypes.
     *
     * @param model a Diffusers folder, or a hub id {@code owner/name} in the local hub cache
     */
    public static Pipeline open(String model) throws FaultException {
        return open(model, PipelineOptions.DEFAULT);
    }

    /** Opens a model on a device with its stored dtypes. */
    public static Pipeline open(String model, Device device) throws FaultException {
        return plan(model, PipelineOptions.DEFAULT).load(LoadOptions.on(device));
    }

    /**
     * Opens a model on the CPU.
     *
     * @param model a Diffusers folder, or a hub id {@code owner/name} in the local hub cache
     * @throws FaultException NO_INPUT or BAD_INPUT naming the file, IO if reading fails
     */
    public static Pipeline open(String model, PipelineOptions options) throws FaultException {
        return plan(model, options).load(LoadOptions.on(Device.CPU));
    }

    /**
     * Reads and checks all configs and headers of a model.
     *
     * @param model a Diffusers folder, or a hub id {@code owner/name} in the local hub cache
     * @throws FaultException NO_INPUT or BAD_INPUT naming the file, the tensor or the key
     */
    public static ModelPlan plan(String model, PipelineOptions options) throws FaultException {
        ModelIndex index = ModelIndex.read(ModelFolder.open(model));
        return entry(index).planner().plan(index, options);
    }

    /**
     * The components with weights of a model in the order of their first use; nothing but {@code model_index.json} is read.
     *
     * @param model a Diffusers folder, or a hub id {@code owner/name} in the local hub cache
     * @throws FaultException if the folder is no pipeline of a supported family
     */
    public static List<ComponentPlanner> components(String model, PipelineOptions options) throws FaultException {
        ModelIndex index = ModelIndex.read(ModelFolder.open(model));
        return entry(index).parts().apply(index, options);
    }

    /** Whether pipelines of the class {@code className} can be opened. */
    public static boolean isSupported(String className) {
        return ENTRIES.stream().anyMatch(entry -> entry.family().className().equals(className));
    }

    /**
     * What a model lets its user ask, without loading it.
     *
     * @throws FaultException if the folder is no pipeline of a supported family
     */
    public static PipelineFamily family(String model) throws FaultException {
        return entry(ModelIndex.read(ModelFolder.open(model))).family();
    }

    private static Entry entry(ModelIndex index) throws FaultException {
        String className = index.className();
        for (Entry entry : ENTRIES) {
            if (entry.family().className().equals(className)) {
                return entry;
            }
        }
        throw new FaultException(
                Fault.BAD_INPUT,
                index.path() + ": the pipeline class " + className + " is not supported; supported: "
                        + ENTRIES.stream().map(e -> e.family().className()).collect(Collectors.joining(", ")));
    }
}
