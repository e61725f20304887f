package jdiff.runtime.distributed;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import jdiff.runtime.distributed.ProcessGroup.Pending;
import org.bytedeco.javacpp.chrono.Milliseconds;
import org.bytedeco.pytorch.GlooDeviceVector;
import org.bytedeco.pytorch.ProcessGroupGloo;
import org.bytedeco.pytorch.Store;
import org.bytedeco.pytorch.Work;

/**
 * CPU tensors over TCP, by Gloo. The whole mesh of connections is made in the constructor, together with all other ranks of the
 * group.
 */
final class GlooTransport extends BackendTransport {
    /**
     * @param connection one that nothing else uses meanwhile: Gloo waits for its peers holding its lock
     * @param prefix of all keys of this group
     */
    GlooTransport(Store connection, String prefix, GroupId id, GlooDevices devices, Duration timeout) {
        super(connect(connection, prefix, id, devices, timeout));
    }

    private static ProcessGroupGloo connect(
            Store connection, String prefix, GroupId id, GlooDevices devices, Duration timeout) {
        NativeStdout.silence();
        return NativeCall.of(() -> {
            try (Milliseconds limit = new Milliseconds(timeout.toMillis());
                    ProcessGroupGloo.Options options = ProcessGroupGloo.Options.create(limit);
                    GlooDeviceVector listeners = devices.open()) {
                options.devices(listeners);
                return NativeCall.withPrefix(
                        prefix, connection, keys -> new ProcessGroupGloo(keys, id.index(), id.size(), options));
            }
        });
    }

    @Override
    public Pending exchange(List<Message> sends, List<Message> receives, boolean collective) {
        // Receives first: a message that finds its buffer waiting is not stored in between.
        List<Work> works = new ArrayList<>(receive(receives));
        works.addAll(send(sends));
        return pending(works);
    }
}
