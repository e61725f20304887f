package jdiff.runtime.pipeline;

import java.util.List;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.weights.LoadPlan;

/**
 * A model of which all configs and headers have been read and checked, and not a byte of its weights: what would be loaded on
 * this rank, and how to load it.
 */
public interface ModelPlan extends AutoCloseable {
    /** What it lets its user ask. */
    PipelineFamily family();

    /** The components with weights, in the order of their first use. */
    List<Component> components();

    /**
     * The components that are in memory together while the first prompt is made, phase by phase.
     *
     * @param freeTextEncoder as in {@link LoadOptions}
     */
    default List<List<Component>> phases(boolean freeTextEncoder) {
        return List.of(components());
    }

    /**
     * One of them.
     *
     * @param name as in {@code model_index.json}
     * @param className of the network
     */
    record Component(String name, String className, LoadPlan<?> weights) {}

    /**
     * Reads all weights. The pipeline takes over what the plan holds.
     *
     * @throws FaultException IO if reading fails, BAD_INPUT if a file shrank
     */
    Pipeline load(LoadOptions options) throws FaultException;

    /** Frees what a plan holds that was not loaded. */
    @Override
    void close();
}
