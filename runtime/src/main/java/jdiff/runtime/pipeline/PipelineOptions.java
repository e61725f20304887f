package jdiff.runtime.pipeline;

import jdiff.runtime.distributed.DeviceMesh;
import org.jspecify.annotations.Nullable;

/**
 * Which weights of a model are wanted.
 *
 * @param dtypes of the components
 * @param variant of the weight files, for instance {@code fp16}; null for those without
 * @param strict whether tensors that nobody needs are an error
 * @param mesh the ranks between which layers share their parameters
 * @param shardModulation whether these share modulation layers too, at the price of an exchange at each use
 * @param warning whether the pipeline warns of what a request asks in vain; not where the caller does so, by {@link
 *     PipelineFamily#notes}
 */
public record PipelineOptions(
        ComponentDTypes dtypes,
        @Nullable String variant,
        boolean strict,
        DeviceMesh mesh,
        boolean shardModulation,
        boolean warning) {
    /** The stored dtypes, no variant, one rank. */
    public static final PipelineOptions DEFAULT =
            new PipelineOptions(ComponentDTypes.AUTO, null, false, DeviceMesh.single(), false, true);

    /**
     * With other dtypes: {@code bfloat16,vae=float32}.
     *
     * @throws IllegalArgumentException if the text names no dtypes
     */
    public PipelineOptions withDtype(String dtypes) {
        return with(ComponentDTypes.parse(dtypes));
    }

    /** With other dtypes. */
    public PipelineOptions with(ComponentDTypes dtypes) {
        return new PipelineOptions(dtypes, variant, strict, mesh, shardModulation, warning);
    }

    /** As one rank of a grid. */
    public PipelineOptions on(DeviceMesh mesh) {
        return new PipelineOptions(dtypes, variant, strict, mesh, shardModulation, warning);
    }

    /** With modulation layers shared between the ranks, or whole on each. */
    public PipelineOptions shardingModulation(boolean shardModulation) {
        return new PipelineOptions(dtypes, variant, strict, mesh, shardModulation, warning);
    }

    /** Of files of this variant; null for those without. */
    public PipelineOptions ofVariant(@Nullable String variant) {
        return new PipelineOptions(dtypes, variant, strict, mesh, shardModulation, warning);
    }

    /** With tensors that nobody needs as an error, or as a warning. */
    public PipelineOptions strictly(boolean strict) {
        return new PipelineOptions(dtypes, variant, strict, mesh, shardModulation, warning);
    }

    /** Warning of what a request asks in vain, or leaving that to the caller. */
    public PipelineOptions warning(boolean warning) {
        return new PipelineOptions(dtypes, variant, strict, mesh, shardModulation, warning);
    }
}
