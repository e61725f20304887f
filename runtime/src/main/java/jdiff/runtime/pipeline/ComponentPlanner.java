package jdiff.runtime.pipeline;

import java.util.List;
import jdiff.runtime.distributed.DeviceMesh;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.weights.Checkpoint;
import jdiff.runtime.weights.LoadPlan;

/**
 * A component with weights that is planned apart from the others, and for ranks that do not run: for reports, in which one
 * damaged component must not hide the rest.
 *
 * @param name as in {@code model_index.json}
 * @param className of the network
 * @param stem {@code diffusion_pytorch_model} or {@code model}: what its weight files are called
 */
public record ComponentPlanner(String name, String className, String stem, Source source) {
    /** Reads the config and checks the weights against it. */
    public interface Source {
        List<LoadPlan<?>> plans(Checkpoint checkpoint, List<DeviceMesh> meshes) throws FaultException;
    }

    /**
     * What the ranks of {@code meshes} would load of {@code checkpoint}.
     *
     * @throws FaultException if the config is bad, or the weights do not fit it
     */
    public List<LoadPlan<?>> plans(Checkpoint checkpoint, List<DeviceMesh> meshes) throws FaultException {
        return source.plans(checkpoint, meshes);
    }
}
