package jdiff.runtime.distributed;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import jdiff.runtime.distributed.ProcessGroup.Operation;
import jdiff.runtime.distributed.Transport.Message;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;

/**
 * Every collective in a group of one rank that is a real group, not {@link SingleProcess}: the bindings, the store and the
 * communicator are those of a job, the results are known. For {@code scripts/gpu-check}.
 */
public final class TransportCheck {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final String PREFIX = "transport-check/";

    private final List<String> failures = new ArrayList<>();
    private final Device device;

    private TransportCheck(Device device) {
        this.device = device;
    }

    /**
     * Runs all operations on tensors of {@code device}: by Gloo on the CPU, by NCCL on CUDA.
     *
     * @return what went wrong, one line each
     * @throws IOException if there is no port for the store
     */
    public static List<String> run(Device device) throws IOException {
        TransportCheck check = new TransportCheck(device);
        int port = freePort();
        try (TcpStore store = TcpStore.connect("127.0.0.1", port, true, TIMEOUT)) {
            GroupId id = new GroupId(0, "check", List.of(0));
            org.bytedeco.pytorch.Store connection = store.another(TIMEOUT);
            CollectiveCheck comparison = new CollectiveCheck(id, new StoreGather(store.under(PREFIX), id, TIMEOUT));
            GlooDevices listeners = new GlooDevices(null, "127.0.0.1", port);
            PeerGroup group = new PeerGroup(
                    id,
                    type -> type == Device.Type.CUDA
                            ? new NcclTransport(connection, PREFIX + "nccl", id, TIMEOUT)
                            : new GlooTransport(connection, PREFIX + "gloo", id, listeners, TIMEOUT),
                    comparison);
            group.checkCollectives(true);
            Scope.tidy(() -> check.all(group));
            group.close();
            if (device.type() == Device.Type.CUDA) {
                Transport alone = new NcclTransport(connection, PREFIX + "alone", id, TIMEOUT);
                Scope.tidy(() -> check.messageToItself(alone));
                alone.close();
            }
            connection.close();
        }
        return check.failures;
    }

    private void all(PeerGroup group) {
        for (DType dtype : List.of(DType.F32, DType.BF16, DType.F16, DType.I64)) {
            Tensor x = Tensor.full(2, dtype, device, 1000);
            attempt(Operation.ALL_REDUCE, dtype, () -> group.allReduce_(x));
            attempt(Operation.BROADCAST, dtype, () -> group.broadcast_(x, 0));
            attempt(Operation.ALL_GATHER, dtype, () -> group.allGather(x, 0));
            attempt(
                    Operation.ALL_TO_ALL,
                    dtype,
                    () -> group.allToAll(List.of(x), List.of(x.shape())).get(0));
        }
        attempt(Operation.BARRIER, DType.F32, () -> {
            group.barrier();
            return Tensor.full(2, DType.F32, device, 1);
        });
    }

    /** The grouped send and receive of rings; NCCL lets a rank be its own peer. */
    private void messageToItself(Transport transport) {
        attempt(Operation.EXCHANGE, DType.F32, () -> {
            Tensor in = Tensor.zeros(DType.F32, device, 1000);
            Message out = new Message(Tensor.full(2, DType.F32, device, 1000), 0);
            transport.exchange(List.of(out), List.of(new Message(in, 0)), true).await();
            return in;
        });
    }

    private void attempt(Operation operation, DType dtype, Supplier<Tensor> call) {
        try {
            for (float value : call.get().toFloats()) {
                if (value != 2) {
                    failures.add(operation.word() + " of " + dtype + " gave " + value + " instead of 2");
                    return;
                }
            }
        } catch (RuntimeException e) {
            failures.add(operation.word() + " of " + dtype + ": " + e.getMessage());
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
