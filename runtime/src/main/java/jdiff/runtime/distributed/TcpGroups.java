package jdiff.runtime.distributed;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import jdiff.runtime.fault.FaultException;
import jdiff.runtime.tensor.Device;
import org.bytedeco.pytorch.TCPStore;
import org.jspecify.annotations.Nullable;

/** Makes groups of processes: Gloo for CPU tensors, NCCL for CUDA tensors, both found through the job's store. */
final class TcpGroups implements GroupFactory, AutoCloseable {
    private final WorkerEnvironment environment;
    private final Store store;
    private final String prefix;
    private final Duration connectTimeout;
    private final List<ProcessGroup> groups = new ArrayList<>();
    private @Nullable TcpStore connection;

    /**
     * @param store keys of this attempt
     * @param prefix of these keys
     */
    TcpGroups(WorkerEnvironment environment, Store store, String prefix, Duration connectTimeout) {
        this.environment = environment;
        this.store = store;
        this.prefix = prefix;
        this.connectTimeout = connectTimeout;
    }

    @Override
    public ProcessGroup create(String axis, List<Integer> ranks) {
        if (ranks.size() == 1) {
            return new SingleProcess(axis);
        }
        GroupId id = new GroupId(environment.rank(), axis, ranks);
        StoreGather gather = new StoreGather(store.under("check/" + id.key() + "/"), id, environment.groupTimeout());
        ProcessGroup group = new PeerGroup(id, type -> connect(id, type), new CollectiveCheck(id, gather));
        groups.add(group);
        return group;
    }

    private Transport connect(GroupId id, Device.Type type) {
        TCPStore client = client();
        Duration timeout = environment.groupTimeout();
        if (type == Device.Type.CUDA) {
            return new NcclTransport(client, prefix + "nccl/" + id.key(), id, timeout);
        }
        GlooDevices devices =
                new GlooDevices(environment.interfaces(), environment.masterAddress(), environment.masterPort());
        return new GlooTransport(client, prefix + "gloo/" + id.key(), id, devices, timeout);
    }

    /** A second connection, since a group that waits for its peers would block every other use of the first. */
    private TCPStore client() {
        if (connection == null) {
            try {
                connection =
                        TcpStore.connect(environment.masterAddress(), environment.masterPort(), false, connectTimeout);
            } catch (FaultException e) {
                throw new DistributedException(e.fault(), String.valueOf(e.getMessage()), e);
            }
        }
        return connection.client();
    }

    @Override
    public void close() {
        groups.forEach(ProcessGroup::close);
        if (connection != null) {
            connection.close();
        }
    }
}
