package jdiff.runtime.pipeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import jdiff.runtime.config.Config;
import jdiff.runtime.distributed.DeviceMesh;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.weights.Checkpoint;
import jdiff.runtime.weights.LoadPlan;
import jdiff.runtime.weights.LoadRules;
import jdiff.runtime.weights.Variants;
import jdiff.runtime.weights.WeightFiles;

/**
 * A component with weights as its family knows it, before a model is opened.
 *
 * @param name as in {@code model_index.json}
 * @param className of the network
 * @param stem {@code diffusion_pytorch_model} or {@code model}: what its weight files are called
 * @param <C> its config
 * @param <T> the network
 */
record ComponentType<C, T>(
        String name, String className, String stem, ConfigReader<C> configReader, WeightPlanner<C, T> weightPlanner) {
    static final String DIFFUSERS_STEM = "diffusion_pytorch_model";
    static final String TRANSFORMERS_STEM = "model";

    /** Reads and checks a config. */
    interface ConfigReader<C> {
        C read(Config config) throws FaultException;
    }

    /** Checks weights against a config. */
    interface WeightPlanner<C, T> {
        LoadPlan<T> plan(C config, Checkpoint checkpoint, LoadRules rules) throws FaultException;
    }

    C config(ModelIndex index) throws FaultException {
        return configReader.read(index.config(name, className));
    }

    /** Where its weight files are looked for. */
    Variants.Component files(ModelIndex index) throws FaultException {
        return new Variants.Component(name, index.folder(name), stem);
    }

    /** @param files those of this component among others */
    LoadPlan<T> plan(C config, Map<String, WeightFiles> files, PipelineOptions options) throws FaultException {
        return plan(config, Checkpoint.open(Objects.requireNonNull(files.get(name)), options.strict()), options);
    }

    private LoadPlan<T> plan(C config, Checkpoint checkpoint, PipelineOptions options) throws FaultException {
        LoadRules rules = LoadRules.of(name, options.dtypes().rule(name))
                .strictly(options.strict())
                .on(options.mesh())
                .shardingModulation(options.shardModulation());
        return weightPlanner.plan(config, checkpoint, rules);
    }

    /** The same to be planned apart from the other components. */
    ComponentPlanner planner(ModelIndex index, PipelineOptions options) {
        return new ComponentPlanner(name, className, stem, (checkpoint, meshes) -> {
            C config = config(index);
            List<LoadPlan<?>> plans = new ArrayList<>();
            for (DeviceMesh mesh : meshes) {
                plans.add(plan(config, checkpoint, options.on(mesh)));
            }
            return plans;
        });
    }

    ModelPlan.Component with(LoadPlan<T> weights) {
        return new ModelPlan.Component(name, className, weights);
    }
}
