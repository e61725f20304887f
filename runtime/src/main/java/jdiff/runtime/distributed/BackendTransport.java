package jdiff.runtime.distributed;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import jdiff.runtime.distributed.ProcessGroup.Pending;
import jdiff.runtime.tensor.Tensor;
import org.bytedeco.pytorch.Backend;
import org.bytedeco.pytorch.BroadcastOptions;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.Work;
import org.jspecify.annotations.Nullable;

/** What Gloo and NCCL have in common: a backend of libtorch starts the work, which is then waited for. */
abstract class BackendTransport implements Transport {
    private static final int TAG = 0; // messages between two ranks are told apart by their order

    private final Backend backend;

    BackendTransport(Backend backend) {
        this.backend = backend;
    }

    @Override
    public void allReduce(Tensor x) {
        try (TensorVector tensors = new TensorVector(x.unwrap())) {
            finish(() -> backend.allreduce(tensors));
        }
    }

    @Override
    public void broadcast(Tensor x, int root) {
        try (TensorVector tensors = new TensorVector(x.unwrap());
                BroadcastOptions options = new BroadcastOptions()) {
            options.rootRank(root).rootTensor(0);
            finish(() -> backend.broadcast(tensors, options));
        }
    }

    @Override
    public void barrier() {
        finish(backend::barrier);
    }

    @Override
    public void close() {
        backend.close();
    }

    final List<Work> send(List<Message> messages) {
        return start(messages, message -> tensors -> backend.send(tensors, message.peer(), TAG));
    }

    final List<Work> receive(List<Message> messages) {
        return start(messages, message -> tensors -> backend.recv(tensors, message.peer(), TAG));
    }

    static Pending pending(List<Work> works) {
        return () -> works.forEach(work -> finish(() -> work));
    }

    private static List<Work> start(List<Message> messages, Function<Message, Function<TensorVector, Work>> operation) {
        return messages.stream()
                .map(message -> {
                    try (TensorVector tensors =
                            new TensorVector(message.tensor().unwrap())) {
                        return NativeCall.of(() -> operation.apply(message).apply(tensors));
                    }
                })
                .toList();
    }

    /** NCCL has no work to wait for where an operation went to the current stream itself. */
    private static void finish(Supplier<@Nullable Work> call) {
        NativeCall.of(() -> {
            try (Work work = call.get()) {
                return work == null || work._wait();
            }
        });
    }
}
