package jdiff.runtime.distributed;

import java.util.Map;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.natives.Natives;
import jdiff.runtime.tensor.Device;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.bytedeco.pytorch.global.torch;

/** Builds a {@link World} from the environment: threads, device, store; in this order, the device before any group. */
final class Joining {
    private static final Logger LOG = LogManager.getLogger();

    private Joining() {}

    static World join(WorkerEnvironment environment, Map<String, String> variables) throws FaultException {
        Natives.load();
        if (environment.threads() > 0) {
            torch.set_num_threads(environment.threads());
        }
        Device device = DeviceSelection.select(environment, variables, CudaRuntime::deviceCount);
        if (device.type() == Device.Type.CUDA) {
            CudaRuntime.use(device);
        }
        LOG.info("rank {} of {} on {}", environment.rank(), environment.worldSize(), device);
        if (environment.worldSize() == 1) {
            return new World(
                    environment, device, new MemoryStore(), (axis, ranks) -> new SingleProcess(axis), () -> {});
        }
        boolean host = !environment.agentStore() && environment.rank() == 0;
        TcpStore connection =
                TcpStore.connect(environment.masterAddress(), environment.masterPort(), host, World.connectTimeout());
        String prefix = "jdiff/" + environment.attempt() + "/";
        Store store = connection.under(prefix);
        TcpGroups groups = new TcpGroups(environment, connection, prefix);
        return new World(environment, device, store, groups, () -> {
            groups.close();
            if (!environment.agentStore()) {
                HostedStore.leave(store, environment);
            }
            connection.close();
        });
    }
}
