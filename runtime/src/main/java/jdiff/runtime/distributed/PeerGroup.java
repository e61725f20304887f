package jdiff.runtime.distributed;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLongArray;
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
    private static final Set<DType> SUMMABLE =
            EnumSet.of(DType.F64, DType.F32, DType.F16, DType.BF16, DType.I64, DType.I32, DType.I8, DType.U8);

    private final GroupId id;
    private final Function<Device.Type, Transport> connect;
    private final CollectiveCheck check;
    private final AtomicLongArray calls = new AtomicLongArray(Operation.values().length);
    private final AtomicLongArray bytes = new AtomicLongArray(Operation.values().length);
    private @Nullable Transport cpu;
    private @Nullable Transport cuda;

    PeerGroup(GroupId id, Function<Device.Type, Transport> connect, CollectiveCheck check) {
        this.id = id;
        this.connect = connect;
        this.check = check;
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
        summable(Operation.ALL_REDUCE, x);
        check.compare(Operation.ALL_REDUCE, x.toString());
        count(Operation.ALL_REDUCE, 2 * bytesOf(x) * (size() - 1) / size());
        return inPlace(Operation.ALL_REDUCE, x, contiguous -> transport(x).allReduce(contiguous));
    }

    @Override
    public Tensor broadcast_(Tensor x, int root) {
        summable(Operation.BROADCAST, x);
        peer(Operation.BROADCAST, root, true);
        check.compare(Operation.BROADCAST, x + " from " + root);
        count(Operation.BROADCAST, rank() == root ? bytesOf(x) * (size() - 1) : 0);
        return inPlace(Operation.BROADCAST, x, contiguous -> transport(x).broadcast(contiguous, root));
    }

    @Override
    public Tensor allGather(Tensor x, int dim, long... lengths) {
        int axis = dim < 0 ? x.dim() + dim : dim;
        if (lengths.length != size() || axis < 0 || axis >= x.dim() || x.size(axis) != lengths[rank()]) {
            throw wrong(
                    Operation.ALL_GATHER,
                    x + " along dim " + dim + " is not part " + rank() + " of lengths " + Arrays.toString(lengths));
        }
        long[] shape = x.shape();
        shape[axis] = Arrays.stream(lengths).sum();
        check.compare(
                Operation.ALL_GATHER,
                x.dtype() + Arrays.toString(shape) + " along " + axis + " of " + Arrays.toString(lengths));
        count(Operation.ALL_GATHER, bytesOf(x) * (size() - 1));
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
        if (parts.size() != size() || shapes.size() != size()) {
            throw wrong(
                    Operation.ALL_TO_ALL,
                    parts.size() + " parts and " + shapes.size() + " shapes, one per rank wanted");
        }
        Tensor first = parts.get(0);
        for (Tensor part : parts) {
            if (part.dtype() != first.dtype() || !part.device().equals(first.device())) {
                throw wrong(Operation.ALL_TO_ALL, "parts differ in dtype or device: " + parts);
            }
        }
        if (!Arrays.equals(parts.get(rank()).shape(), shapes.get(rank()))) {
            throw wrong(
                    Operation.ALL_TO_ALL,
                    parts.get(rank()) + " stays here, but " + Arrays.toString(shapes.get(rank())) + " is expected");
        }
        check.compareMessages(Operation.ALL_TO_ALL, first.dtype().toString(), parts, shapes);
        count(Operation.ALL_TO_ALL, parts.stream().mapToLong(PeerGroup::bytesOf).sum() - bytesOf(parts.get(rank())));
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
        peer(Operation.SEND, to, false);
        check.comparePair(Operation.SEND, rank(), to, x.toString());
        count(Operation.SEND, bytesOf(x));
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
        peer(Operation.RECEIVE, from, false);
        check.comparePair(Operation.RECEIVE, from, rank(), dtype + Arrays.toString(shape));
        count(Operation.RECEIVE, 0);
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
        peer(Operation.EXCHANGE, to, false);
        peer(Operation.EXCHANGE, from, false);
        if (!out.isContiguous() || !in.isContiguous() || out.dtype() != in.dtype()) {
            throw wrong(Operation.EXCHANGE, out + " for " + in + ": both must be contiguous and of one dtype");
        }
        check.compareExchange(out, to, in, from);
        count(Operation.EXCHANGE, bytesOf(out));
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
        count(Operation.BARRIER, 0);
        guarded(Operation.BARRIER, null, () -> {
            transport(Device.Type.CPU).barrier();
            return this;
        });
    }

    @Override
    public Traffic traffic(Operation operation) {
        return new Traffic(calls.get(operation.ordinal()), bytes.get(operation.ordinal()));
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
    private Tensor inPlace(Operation operation, Tensor x, java.util.function.Consumer<Tensor> body) {
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

    private void count(Operation operation, long sent) {
        calls.incrementAndGet(operation.ordinal());
        bytes.addAndGet(operation.ordinal(), sent);
    }

    private void summable(Operation operation, Tensor x) {
        if (!SUMMABLE.contains(x.dtype())) {
            throw wrong(operation, x + ": this dtype is not supported, use one of " + SUMMABLE);
        }
    }

    private void peer(Operation operation, int index, boolean orMyself) {
        if (index < 0 || index >= size() || (index == rank() && !orMyself)) {
            throw wrong(
                    operation, "index " + index + " is " + (index == rank() ? "this rank itself" : "not in the group"));
        }
    }

    private IllegalArgumentException wrong(Operation operation, String what) {
        return new IllegalArgumentException(id.label() + " " + operation.word() + ": " + what);
    }
}
