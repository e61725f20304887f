package jdiff.runtime.pipeline;

import jdiff.runtime.tensor.Device;

/**
 * How a pipeline is loaded: where it lives and in which dtypes.
 *
 * @param warning whether it warns of what a request asks in vain; not where the caller does so, by {@link PipelineFamily#notes}
 */
public record PipelineOptions(Device device, ComponentDTypes dtypes, boolean warning) {
    /** On a device, with the stored dtypes. */
    public static PipelineOptions on(Device device) {
        return new PipelineOptions(device, ComponentDTypes.AUTO, true);
    }

    /**
     * With other dtypes: {@code bfloat16,vae=float32}.
     *
     * @throws IllegalArgumentException if the text names no dtypes
     */
    public PipelineOptions withDtype(String dtypes) {
        return new PipelineOptions(device, ComponentDTypes.parse(dtypes), warning);
    }
}
