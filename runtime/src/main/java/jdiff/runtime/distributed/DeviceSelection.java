package jdiff.runtime.distributed;

import java.util.Map;
import java.util.function.IntSupplier;
import jdiff.runtime.distributed.WorkerEnvironment.DeviceChoice;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.tensor.Device;

/** Which device a rank uses: CUDA device LOCAL_RANK by index, the first if it is the only one it sees, or the CPU. */
final class DeviceSelection {
    private DeviceSelection() {}

    /**
     * @param deviceCount CUDA devices that libtorch can use; asked only if the choice depends on it
     * @throws FaultException {@link Fault#DEVICE} if CUDA is wanted and this rank's device does not exist
     */
    static Device select(WorkerEnvironment environment, Map<String, String> variables, IntSupplier deviceCount)
            throws FaultException {
        if (environment.device() == DeviceChoice.CPU) {
            return Device.CPU;
        }
        int count = deviceCount.getAsInt();
        if (count == 0 && environment.device() == DeviceChoice.AUTO) {
            return Device.CPU;
        }
        if (count == 1) {
            return Device.cuda(0);
        }
        if (environment.localRank() >= count) {
            String visible = variables.get("CUDA_VISIBLE_DEVICES");
            throw new FaultException(
                    Fault.DEVICE,
                    environment.localWorldSize() + " ranks on " + Host.name() + " but " + count
                            + " CUDA devices visible (CUDA_VISIBLE_DEVICES=" + (visible == null ? "unset" : visible)
                            + "); "
                            + (count == 0
                                    ? "jdiff doctor says what is missing, --device cpu runs without"
                                    : "start at most " + count + " workers on this host"));
        }
        return Device.cuda(environment.localRank());
    }
}
