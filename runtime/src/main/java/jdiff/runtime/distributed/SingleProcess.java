package jdiff.runtime.distributed;

import java.util.List;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Tensor;

/** A group of one rank: every collective is the identity and moves no byte. */
final class SingleProcess implements ProcessGroup {
    private final String axis;

    SingleProcess(String axis) {
        this.axis = axis;
    }

    @Override
    public int rank() {
        return 0;
    }

    @Override
    public int size() {
        return 1;
    }

    @Override
    public String axis() {
        return axis;
    }

    @Override
    public Tensor allReduce_(Tensor x) {
        return x;
    }

    @Override
    public Tensor broadcast_(Tensor x, int root) {
        return x;
    }

    @Override
    public Tensor allGather(Tensor x, int dim, long... lengths) {
        return x;
    }

    @Override
    public List<Tensor> allToAll(List<Tensor> parts, List<long[]> shapes) {
        return List.copyOf(parts);
    }

    @Override
    public void send(Tensor x, int to) {
        throw alone();
    }

    @Override
    public Tensor receive(DType dtype, Device device, int from, long... shape) {
        throw alone();
    }

    @Override
    public Pending exchange(Tensor out, int to, Tensor in, int from) {
        in.copy_(out);
        return () -> {};
    }

    @Override
    public void barrier() {}

    @Override
    public Traffic traffic(Operation operation) {
        return Traffic.NONE;
    }

    @Override
    public void checkCollectives(boolean on) {}

    @Override
    public void close() {}

    private IllegalArgumentException alone() {
        return new IllegalArgumentException(
                "the " + axis + " group has one rank: there is no peer to send to or receive from");
    }
}
