package jdiff.runtime.distributed;

import java.util.List;
import jdiff.runtime.distributed.ProcessGroup.Pending;
import jdiff.runtime.tensor.Tensor;

/**
 * Moves the bytes of contiguous, non-empty tensors between the ranks of one group. Everything that is not a sum or a broadcast is
 * a set of messages: their sizes are exact, so uneven parts need no padding. Failures are {@link DistributedException}s.
 */
interface Transport extends AutoCloseable {
    /** A tensor and the index of the peer it goes to or comes from. */
    record Message(Tensor tensor, int peer) {}

    void allReduce(Tensor x);

    void broadcast(Tensor x, int root);

    /**
     * Starts all messages at once. Messages between two ranks arrive in the order they were started.
     *
     * @param collective whether all ranks of the group take part in this call
     */
    Pending exchange(List<Message> sends, List<Message> receives, boolean collective);

    void barrier();

    @Override
    void close();
}
