package jdiff.runtime.distributed;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import jdiff.runtime.distributed.ProcessGroup.Pending;
import jdiff.runtime.tensor.Tensor;
import org.bytedeco.javacpp.chrono.Milliseconds;
import org.bytedeco.pytorch.BroadcastOptions;
import org.bytedeco.pytorch.GlooDeviceVector;
import org.bytedeco.pytorch.ProcessGroupGloo;
import org.bytedeco.pytorch.Store;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.Work;

/**
 * CPU tensors over TCP, by Gloo. The whole mesh of connections is made in the constructor, together with all other ranks of the
 * group.
 */
final class GlooTransport implements Transport {
    private static final int TAG = 0;

    private final ProcessGroupGloo group;

    /**
     * @param connection one that nothing else uses meanwhile: Gloo waits for its peers holding its lock
     * @param prefix of all keys of this group
     */
    GlooTransport(Store connection, String prefix, GroupId id, GlooDevices devices, java.time.Duration timeout) {
        NativeStdout.silence();
        this.group = NativeCall.of(() -> {
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
    public void allReduce(Tensor x) {
        try (TensorVector tensors = new TensorVector(x.unwrap())) {
            finish(() -> group.allreduce(tensors));
        }
    }

    @Override
    public void broadcast(Tensor x, int root) {
        try (TensorVector tensors = new TensorVector(x.unwrap());
                BroadcastOptions options = new BroadcastOptions()) {
            options.rootRank(root).rootTensor(0);
            finish(() -> group.broadcast(tensors, options));
        }
    }

    @Override
    public Pending exchange(List<Message> sends, List<Message> receives, boolean collective) {
        List<Work> works = new ArrayList<>();
        // Receives first: a message that finds its buffer waiting is not stored in between.
        for (Message message : receives) {
            works.add(start(message, tensors -> group.recv(tensors, message.peer(), TAG)));
        }
        for (Message message : sends) {
            works.add(start(message, tensors -> group.send(tensors, message.peer(), TAG)));
        }
        return () -> works.forEach(work -> finish(() -> work));
    }

    @Override
    public void barrier() {
        finish(group::barrier);
    }

    @Override
    public void close() {
        group.close();
    }

    private static Work start(Message message, java.util.function.Function<TensorVector, Work> call) {
        try (TensorVector tensors = new TensorVector(message.tensor().unwrap())) {
            return NativeCall.of(() -> call.apply(tensors));
        }
    }

    private static void finish(Supplier<Work> call) {
        NativeCall.of(() -> {
            try (Work work = call.get()) {
                return work._wait();
            }
        });
    }
}
