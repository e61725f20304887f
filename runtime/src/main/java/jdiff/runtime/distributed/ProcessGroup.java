package jdiff.runtime.distributed;

import java.util.Arrays;
import java.util.List;
import jdiff.runtime.tensor.DType;
import jdiff.runtime.tensor.Device;
import jdiff.runtime.tensor.Tensor;

/**
 * The ranks of one axis, and what they do together. All members call the same operations in the same order; lengths of uneven
 * parts are known beforehand, never exchanged. One thread at a time.
 *
 * <p>Errors are {@link DistributedException}s that start with {@code [rank r, <axis> i/n] <operation>}; a lost peer has the fault
 * {@code PEER_LOST}, a silent one {@code HANG}. Calls that are wrong on this rank alone (a shape, an index) are
 * {@link IllegalArgumentException}s with the same start.
 */
public interface ProcessGroup extends AutoCloseable {
    /** Place of this rank in the group. */
    int rank();

    int size();

    /** Name of the axis, for instance {@code tp}. */
    String axis();

    /** The sum over all ranks, bit-identical on each of them, in place; returns {@code x}. */
    Tensor allReduce_(Tensor x);

    /** {@code x} of the rank {@code root} on every rank, in place; returns {@code x}. */
    Tensor broadcast_(Tensor x, int root);

    /**
     * Joins the parts of all ranks along {@code dim}, in order of the ranks.
     *
     * @param x [.., lengths[rank], ..]
     * @param lengths length of {@code dim} on each rank; zero is allowed
     * @return [.., sum of lengths, ..]
     */
    Tensor allGather(Tensor x, int dim, long... lengths);

    /**
     * Sends {@code parts[j]} to rank j and receives a tensor of shape {@code shapes[i]} from rank i; any of them may be empty.
     * All have one dtype and device.
     */
    List<Tensor> allToAll(List<Tensor> parts, List<long[]> shapes);

    /** Sends to rank {@code to}, which receives; returns when {@code x} may be changed. */
    void send(Tensor x, int to);

    /** Receives from rank {@code from}, which sends. */
    Tensor receive(DType dtype, Device device, int from, long... shape);

    /**
     * Starts sending {@code out} to rank {@code to} and receiving into {@code in} from rank {@code from}, for rings: both
     * tensors must be contiguous and stay alive and untouched until the result is awaited.
     */
    Pending exchange(Tensor out, int to, Tensor in, int from);

    /** Returns when all ranks have called it. */
    void barrier();

    /** What this rank did so far. */
    Traffic traffic(Operation operation);

    /**
     * Whether ranks compare (sequence, operation, dtype, shape) over the store before each operation. A mismatch then is an error
     * that names both sides; without the comparison Gloo ends the process and NCCL hangs.
     */
    void checkCollectives(boolean on);

    @Override
    void close();

    /** Equal parts. */
    default Tensor allGather(Tensor x, int dim) {
        long[] lengths = new long[size()];
        Arrays.fill(lengths, x.size(dim));
        return allGather(x, dim, lengths);
    }

    /** An operation under way. */
    interface Pending {
        /** Returns when it is done; on CUDA, when later work of the current stream will see its result. */
        void await();
    }

    /**
     * Calls of an operation and the bytes that this rank sent in them. An all-reduce of b bytes counts {@code 2 b (n-1)/n}, the
     * volume of the ring algorithm.
     */
    record Traffic(long calls, long bytesSent) {
        static final Traffic NONE = new Traffic(0, 0);
    }

    /** What a group can do, with the name in messages. */
    enum Operation {
        ALL_REDUCE("all-reduce"),
        ALL_GATHER("all-gather"),
        ALL_TO_ALL("all-to-all"),
        SEND("send"),
        RECEIVE("receive"),
        EXCHANGE("exchange"),
        BROADCAST("broadcast"),
        BARRIER("barrier");

        private final String word;

        Operation(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }
}
