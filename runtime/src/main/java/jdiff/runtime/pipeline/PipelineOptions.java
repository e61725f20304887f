package jdiff.runtime.pipeline;

import jdiff.runtime.tensor.Device;

/** How a pipeline is loaded: where it lives and in which dtypes. */
public record PipelineOptions(Device device, ComponentDTypes dtypes) {
    /** On a device, with the stored dtypes. */
    public static PipelineOptions on(Device device) {
        return new PipelineOptions(device, ComponentDTypes.AUTO);
    }

    /**
     * With other dtypes: {@code bfloat16,vae=float32}.
     *
     * @throws IllegalArgumentException if the text names no dtypes
     */
    public PipelineOptions withDtype(String dtypes) {
        return new PipelineOptions(device, ComponentDTypes.parse(dtypes));
    }
}
