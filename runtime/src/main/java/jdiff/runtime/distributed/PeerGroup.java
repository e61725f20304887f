package jdiff.runtime.distributed;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import jdiff.runtime.distributed.Transport.Message;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Scope;
import jdiff.runtime.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * A group of several ranks: checks what this rank asks for, compares it with the peers if wanted, counts it, hands it to the
 * transport of the tensor's device and names rank, group and operation in what goes wrong. Transports connect at first use, on
 * all ranks of the group: a job that never calls a collective never pays for one.
 */
final class PeerGroup implements ProcessGroup {
    private final GroupId id;
    private final Function<Device.Type, Transport> connect;
    private final CollectiveCheck check;
    private final LocalCheck local;
    private final TrafficCounter traffic = new TrafficCounter();
    private @Nullable Transport cpu;
    private @Nullable Transport cuda;

    PeerGroup(GroupId id, Function<Device.Type, Transport> connect, CollectiveCheck check) {
        this.id = id;
        this.connect = connect;
        this.check = check;
        this.local = new LocalCheck(id);
    }

    @Override
    public int rank() {
        return id.index();
    }

    @Override
    public int size() {
        return id.size();
    }

    @Override
    public String axis() {
        return id.axis();
    }

    @Override
    public Tensor allReduce_(Tensor x) {
        local.dtype(Operation.ALL_REDUCE, x);
        check.compare(Operation.ALL_REDUCE, x.toString());
        traffic.count(Operation.ALL_REDUCE, 2 * bytesOf(x) * (size() - 1) / size());
        return inPlace(Operation.ALL_REDUCE, x, contiguous -> transport(x).allReduce(contiguous));
    }

    @Override
    public Tensor broadcast_(Tensor x, int root) {
        local.dtype(Operation.BROADCAST, x);
        local.index(Operation.BROADCAST, root);
        check.compare(Operation.BROADCAST, x + " from " + root);
        traffic.count(Operation.BROADCAST, rank() == root ? bytesOf(x) * (size() - 1) : 0);
        return inPlace(Operation.BROADCAST, x, contiguous -> transport(x).broadcast(contiguous, root));
    }

    @Override
    public Tensor allGather(Tensor x, int dim, long... lengths) {
        int axis = local.part(Operation.ALL_GATHER, x, dim, lengths);
        long[] shape = x.shape();
        shape[axis] = Arrays.stream(lengths).sum();
        check.compare(
                Operation.ALL_GATHER,
                x.dtype() + Arrays.toString(shape) + " along " + axis + " of " + Arrays.toString(lengths));
        traffic.count(Operation.ALL_GATHER, bytesOf(x) * (size() - 1));
        return guarded(
                Operation.ALL_GATHER,
                x,
                () -> Scope.tidy(() -> {
                    Tensor whole = Tensor.empty(x.dtype(), x.device(), shape);
                    Tensor own = x.contiguous();
                    List<Message> sends = new ArrayList<>();
                    List<Message> receives = new ArrayList<>();
                    List<Runnable> copies = new ArrayList<>();
                    long start = 0;
                    for (int i = 0; i < size(); i++) {
                        Tensor slot = whole.narrow(axis, start, lengths[i]);
                        start += lengths[i];
                        if (i == rank()) {
                            slot.copy_(own);
                            continue;
                        }
                        addTo(sends, own, i);
                        Tensor buffer = slot.isContiguous() ? slot : Tensor.empty(x.dtype(), x.device(), slot.shape());
                        addTo(receives, buffer, i);
                        if (buffer != slot) {
                            copies.add(() -> slot.copy_(buffer));
                        }
                    }
                    transport(x).exchange(sends, receives, true).await();
                    copies.forEach(Runnable::run);
                    return whole;
                }));
    }

    @Override
    public List<Tensor> allToAll(List<Tensor> parts, List<long[]> shapes) {
        local.parts(Operation.ALL_TO_ALL, parts, shapes);
        Tensor first = parts.get(0);
        check.compareMessages(Operation.ALL_TO_ALL, first.dtype().toString(), parts, shapes);
        traffic.count(
                Operation.ALL_TO_ALL,
                parts.stream().mapToLong(PeerGroup::bytesOf).sum() - bytesOf(parts.get(rank())));
        return guarded(
                Operation.ALL_TO_ALL,
                first,
                () -> Scope.tidy(() -> {
                    List<Message> sends = new ArrayList<>();
                    List<Message> receives = new ArrayList<>();
                    List<Tensor> results = new ArrayList<>();
                    for (int i = 0; i < size(); i++) {
                        if (i == rank()) {
                            results.add(parts.get(i));
                            continue;
                        }
                        addTo(sends, parts.get(i).contiguous(), i);
                        Tensor buffer = Tensor.empty(first.dtype(), first.device(), shapes.get(i));
                        addTo(receives, buffer, i);
                        results.add(buffer);
                    }
                    transport(first).exchange(sends, receives, true).await();
                    return results;
                }));
    }

    @Override
    public void send(Tensor x, int to) {
        local.peer(Operation.SEND, to);
        check.comparePair(Operation.SEND, rank(), to, x.toString());
        traffic.count(Operation.SEND, bytesOf(x));
        guarded(
                Operation.SEND,
                x,
                () -> Scope.<@Nullable Object>tidy(() -> {
                    List<Message> sends = new ArrayList<>();
                    addTo(sends, x.contiguous(), to);
                    transport(x).exchange(sends, List.of(), false).await();
                    return null;
                }));
    }

    @Override
    public Tensor receive(DType dtype, Device device, int from, long... shape) {
        local.peer(Operation.RECEIVE, from);
        check.comparePair(Operation.RECEIVE, from, rank(), dtype + Arrays.toString(shape));
        traffic.count(Operation.RECEIVE, 0);
        Tensor into = Tensor.empty(dtype, device, shape);
        List<Message> receives = new ArrayList<>();
        addTo(receives, into, from);
        guarded(Operation.RECEIVE, into, () -> {
            transport(into).exchange(List.of(), receives, false).await();
            return into;
        });
        return into;
    }

    @Override
    public Pending exchange(Tensor out, int to, Tensor in, int from) {
        local.peer(Operation.EXCHANGE, to);
        local.peer(Operation.EXCHANGE, from);
        local.buffers(Operation.EXCHANGE, out, in);
        check.compareExchange(out, to, in, from);
        traffic.count(Operation.EXCHANGE, bytesOf(out));
        List<Message> sends = new ArrayList<>();
        addTo(sends, out, to);
        List<Message> receives = new ArrayList<>();
        addTo(receives, in, from);
        Pending pending = guarded(Operation.EXCHANGE, out, () -> transport(out).exchange(sends, receives, true));
        return () -> guarded(Operation.EXCHANGE, out, () -> {
            pending.await();
            return in;
        });
    }

    @Override
    public void barrier() {
        check.compare(Operation.BARRIER, "");
        traffic.count(Operation.BARRIER, 0);
        guarded(Operation.BARRIER, null, () -> {
            transport(Device.Type.CPU).barrier();
            return this;
        });
    }

    @Override
    public Traffic traffic(Operation operation) {
        return traffic.of(operation);
    }

    @Override
    public void checkCollectives(boolean on) {
        check.enable(on);
    }

    @Override
    public void close() {
        if (cpu != null) {
            cpu.close();
        }
        if (cuda != null) {
            cuda.close();
        }
    }

    // ---------------------------------------------------------------- plumbing

    private Transport transport(Tensor x) {
        return transport(x.device().type());
    }

    private Transport transport(Device.Type type) {
        Transport known = type == Device.Type.CUDA ? cuda : cpu;
        if (known != null) {
            return known;
        }
        Transport made = connect.apply(type);
        if (type == Device.Type.CUDA) {
            cuda = made;
        } else {
            cpu = made;
        }
        return made;
    }

    /** Runs on {@code x} itself where its memory is in order, else on a copy that is written back. */
    private Tensor inPlace(Operation operation, Tensor x, Consumer<Tensor> body) {
        if (x.numel() == 0) {
            return x;
        }
        return guarded(operation, x, () -> {
            if (x.isContiguous()) {
                body.accept(x);
            } else {
                Scope.tidy(() -> {
                    Tensor copy = x.contiguous();
                    body.accept(copy);
                    x.copy_(copy);
                });
            }
            return x;
        });
    }

    private <T extends @Nullable Object> T guarded(Operation operation, @Nullable Tensor x, Supplier<T> body) {
        try {
            return body.get();
        } catch (DistributedException e) {
            String of = x == null ? "" : " of " + x;
            throw new DistributedException(
                    e.fault(), id.label() + " " + operation.word() + of + ": " + e.getMessage(), e);
        }
    }

    private static void addTo(List<Message> messages, Tensor x, int peer) {
        if (x.numel() > 0) { // nothing to move, and both sides know it
            messages.add(new Message(x, peer));
        }
    }

    private static long bytesOf(Tensor x) {
        return x.numel() * x.dtype().sizeBytes();
    }
}
