package jdiff.runtime.distributed;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import jdiff.runtime.distributed.ProcessGroup.Pending;
import jdiff.runtime.tensor.Tensor;
import org.bytedeco.javacpp.chrono.Milliseconds;
import org.bytedeco.pytorch.BroadcastOptions;
import org.bytedeco.pytorch.Store;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.Work;
import org.bytedeco.pytorch.nccl.ProcessGroupNCCL;
import org.jspecify.annotations.Nullable;

/**
 * CUDA tensors, by NCCL. Its class is loaded only where a CUDA tensor meets a group. NCCL makes its communicator at the first
 * operation, on the device of that tensor, and works on a stream of its own: {@code wait} orders the current stream behind it and
 * does not block the caller.
 *
 * <p>Its native classes load with CUDA's libraries on a machine without a GPU and then say that there is none; beyond that it has
 * <b>not run so far</b>, for want of a GPU: the grouping of messages, the text of errors, and that libtorch's watchdog ends the
 * process (not the call) when a peer is lost are taken from libtorch's sources.
 */
final class NcclTransport implements Transport {
    private static final int TAG = 0; // ignored by NCCL: messages between two ranks are in order

    private final ProcessGroupNCCL group;

    NcclTransport(Store connection, String prefix, GroupId id, Duration timeout) {
        this.group = NativeCall.of(() -> {
            try (Milliseconds limit = new Milliseconds(timeout.toMillis());
                    ProcessGroupNCCL.Options options = ProcessGroupNCCL.Options.create()) {
                options.timeout(limit);
                return NativeCall.withPrefix(
                        prefix, connection, keys -> new ProcessGroupNCCL(keys, id.index(), id.size(), options));
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

    /**
     * Messages of one call form one NCCL group, so that none waits for another. Between two ranks alone they must not: a grouped
     * message uses the communicator of all ranks, whose making waits for all of them, a single one that of the pair.
     */
    @Override
    public Pending exchange(List<Message> sends, List<Message> receives, boolean collective) {
        if (sends.isEmpty() && receives.isEmpty()) {
            return () -> {};
        }
        List<Work> works = new ArrayList<>();
        if (collective) {
            NativeCall.of(() -> {
                group.startCoalescing();
                return group;
            });
            startAll(sends, receives); // their own results mean nothing inside a group
            works.add(NativeCall.of(group::endCoalescing));
        } else {
            works.addAll(startAll(sends, receives));
        }
        return () -> works.forEach(work -> finish(() -> work));
    }

    @Override
    public void barrier() {
        throw new IllegalStateException("barriers use the CPU's transport");
    }

    @Override
    public void close() {
        NativeCall.of(() -> {
            group.shutdown();
            return group;
        });
        group.close();
    }

    private List<Work> startAll(List<Message> sends, List<Message> receives) {
        List<Work> works = new ArrayList<>();
        for (Message message : sends) {
            works.add(start(message, tensors -> group.send(tensors, message.peer(), TAG)));
        }
        for (Message message : receives) {
            works.add(start(message, tensors -> group.recv(tensors, message.peer(), TAG)));
        }
        return works;
    }

    private static Work start(Message message, java.util.function.Function<TensorVector, Work> call) {
        try (TensorVector tensors = new TensorVector(message.tensor().unwrap())) {
            return NativeCall.of(() -> call.apply(tensors));
        }
    }

    /** No work is what an operation returns that went to the current stream itself: then there is nothing to wait for. */
    private static void finish(Supplier<@Nullable Work> call) {
        NativeCall.of(() -> {
            try (Work work = call.get()) {
                return work == null || work._wait();
            }
        });
    }
}
