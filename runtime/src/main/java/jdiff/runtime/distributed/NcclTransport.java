package jdiff.runtime.distributed;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import jdiff.runtime.distributed.ProcessGroup.Pending;
import org.bytedeco.javacpp.chrono.Milliseconds;
import org.bytedeco.pytorch.Store;
import org.bytedeco.pytorch.Work;
import org.bytedeco.pytorch.nccl.ProcessGroupNCCL;

/**
 * CUDA tensors, by NCCL. Its class is loaded only where a CUDA tensor meets a group. NCCL makes its communicator at the first
 * operation, on the device of that tensor, and works on a stream of its own: {@code wait} orders the current stream behind it and
 * does not block the caller.
 *
 * <p>Its native classes load with CUDA's libraries on a machine without a GPU and then say that there is none; beyond that it has
 * <b>not run so far</b>, for want of a GPU: the grouping of messages, the text of errors, and that libtorch's watchdog ends the
 * process (not the call) when a peer is lost are taken from libtorch's sources.
 */
final class NcclTransport extends BackendTransport {
    private final ProcessGroupNCCL group;

    NcclTransport(Store connection, String prefix, GroupId id, Duration timeout) {
        this(connect(connection, prefix, id, timeout));
    }

    private NcclTransport(ProcessGroupNCCL group) {
        super(group);
        this.group = group;
    }

    private static ProcessGroupNCCL connect(Store connection, String prefix, GroupId id, Duration timeout) {
        return NativeCall.of(() -> {
            try (Milliseconds limit = new Milliseconds(timeout.toMillis());
                    ProcessGroupNCCL.Options options = ProcessGroupNCCL.Options.create()) {
                options.timeout(limit);
                return NativeCall.withPrefix(
                        prefix, connection, keys -> new ProcessGroupNCCL(keys, id.index(), id.size(), options));
            }
        });
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
            NativeCall.run(group::startCoalescing);
            send(sends); // their own results mean nothing inside a group
            receive(receives);
            works.add(NativeCall.of(group::endCoalescing));
        } else {
            works.addAll(send(sends));
            works.addAll(receive(receives));
        }
        return pending(works);
    }

    @Override
    public void barrier() {
        throw new IllegalStateException("barriers use the CPU's transport");
    }

    @Override
    public void close() {
        NativeCall.run(group::shutdown);
        super.close();
    }
}
