package jdiff.runtime.distributed;

import java.util.List;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Tensor;

/** A place in a group of ranks that do not exist: enough to tell which part of the weights a rank would keep. */
final class PlannedGroup implements ProcessGroup {
    private final String axis;
    private final int rank;
    private final int size;

    PlannedGroup(String axis, int rank, int size) {
        this.axis = axis;
        this.rank = rank;
        this.size = size;
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public String axis() {
        return axis;
    }

    @Override
    public Tensor allReduce_(Tensor x) {
        throw noPeers(Operation.ALL_REDUCE);
    }

    @Override
    public Tensor broadcast_(Tensor x, int root) {
        throw noPeers(Operation.BROADCAST);
    }

    @Override
    public Tensor allGather(Tensor x, int dim, long... lengths) {
        throw noPeers(Operation.ALL_GATHER);
    }

    @Override
    public List<Tensor> allToAll(List<Tensor> parts, List<long[]> shapes) {
        throw noPeers(Operation.ALL_TO_ALL);
    }

    @Override
    public void send(Tensor x, int to) {
        throw noPeers(Operation.SEND);
    }

    @Override
    public Tensor receive(DType dtype, Device device, int from, long... shape) {
        throw noPeers(Operation.RECEIVE);
    }

    @Override
    public Pending exchange(Tensor out, int to, Tensor in, int from) {
        throw noPeers(Operation.EXCHANGE);
    }

    @Override
    public void barrier() {
        throw noPeers(Operation.BARRIER);
    }

    @Override
    public Traffic traffic(Operation operation) {
        return Traffic.NONE;
    }

    @Override
    public void checkCollectives(boolean on) {}

    @Override
    public void close() {}

    private IllegalStateException noPeers(Operation operation) {
        return new IllegalStateException("[" + axis + " " + rank + "/" + size + "] " + operation.word()
                + " in a grid that is only planned: it has no other ranks");
    }
}
