package jdiff.runtime.distributed;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import jdiff.runtime.tensor.Device;
import org.jspecify.annotations.Nullable;

/** Makes groups of processes: Gloo for CPU tensors, NCCL for CUDA tensors, both found through the job's store. */
final class TcpGroups implements GroupFactory, AutoCloseable {
    private final WorkerEnvironment environment;
    private final TcpStore store;
    private final String prefix;
    private final Store keys;
    private final List<ProcessGroup> groups = new ArrayList<>();
    private org.bytedeco.pytorch.@Nullable Store connection;

    /**
     * @param prefix of all keys
     */
    TcpGroups(WorkerEnvironment environment, TcpStore store, String prefix) {
        this.environment = environment;
        this.store = store;
        this.prefix = prefix;
        this.keys = store.under(prefix);
    }

    @Override
    public ProcessGroup create(String axis, List<Integer> ranks) {
        if (ranks.size() == 1) {
            return new SingleProcess(axis);
        }
        GroupId id = new GroupId(environment.rank(), axis, ranks);
        StoreGather gather = new StoreGather(keys.under("check/" + id.key() + "/"), id, environment.groupTimeout());
        ProcessGroup group = new PeerGroup(id, type -> connect(id, type), new CollectiveCheck(id, gather));
        groups.add(group);
        return group;
    }

    private Transport connect(GroupId id, Device.Type type) {
        Duration timeout = environment.groupTimeout();
        if (connection == null) {
            // A second one, since a group that waits for its peers blocks every other use of its connection.
            connection = store.another(timeout);
        }
        if (type == Device.Type.CUDA) {
            return new NcclTransport(connection, prefix + "nccl/" + id.key(), id, timeout);
        }
        GlooDevices devices =
                new GlooDevices(environment.interfaces(), environment.masterAddress(), environment.masterPort());
        return new GlooTransport(connection, prefix + "gloo/" + id.key(), id, devices, timeout);
    }

    @Override
    public void close() {
        groups.forEach(ProcessGroup::close);
        if (connection != null) {
            connection.close();
        }
    }
}
