package jdiff.runtime.distributed;

import java.util.Arrays;
import java.util.List;
import jdiff.runtime.distributed.ProcessGroup.Operation;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.tensor.Tensor;

/**
 * Compares what the ranks of a group are about to do, over the store. Numbers of elements are compared message by message, since
 * uneven parts differ between ranks by design; all else must be equal everywhere.
 */
final class CollectiveCheck {
    private final GroupId id;
    private final StoreGather gather;
    private boolean enabled;

    CollectiveCheck(GroupId id, StoreGather gather) {
        this.id = id;
        this.gather = gather;
    }

    void enable(boolean on) {
        enabled = on;
    }

    /** An operation that looks the same on every rank. */
    void compare(Operation operation, String what) {
        if (enabled) {
            String mine = (operation.word() + " " + what).strip();
            List<String> all = gather.all(mine);
            for (int i = 0; i < all.size(); i++) {
                if (!all.get(i).equals(mine)) {
                    throw differs(mine, i, all.get(i));
                }
            }
        }
    }

    /** An operation that sends {@code parts[j]} to j and expects {@code shapes[i]} from i. */
    void compareMessages(Operation operation, String dtype, List<Tensor> parts, List<long[]> shapes) {
        if (enabled) {
            long[] sends = parts.stream().mapToLong(Tensor::numel).toArray();
            long[] receives =
                    shapes.stream().mapToLong(CollectiveCheck::product).toArray();
            compareCounts(operation.word() + " " + dtype, sends, receives);
        }
    }

    /** A step of a ring. */
    void compareExchange(Tensor out, int to, Tensor in, int from) {
        if (enabled) {
            long[] sends = new long[id.size()];
            long[] receives = new long[id.size()];
            sends[to] = out.numel();
            receives[from] = in.numel();
            compareCounts(Operation.EXCHANGE.word() + " " + out.dtype(), sends, receives);
        }
    }

    /** A message that concerns two ranks only. */
    void comparePair(Operation operation, int from, int to, String what) {
        if (enabled) {
            int peer = operation == Operation.SEND ? to : from;
            String other = gather.pair(from, to, operation == Operation.SEND, what);
            if (!other.equals(what)) {
                String verb = operation == Operation.SEND ? " receives " : " sends ";
                throw failure(operation.word() + " of " + what + ": rank "
                        + id.ranks().get(peer) + verb + other);
            }
        }
    }

    private void compareCounts(String common, long[] sends, long[] receives) {
        String mine = common + "|" + Arrays.toString(sends) + "|" + Arrays.toString(receives);
        List<String> all = gather.all(mine);
        for (int i = 0; i < all.size(); i++) {
            String[] fields = all.get(i).split("\\|", -1);
            if (fields.length != 3 || !fields[0].equals(common)) {
                throw differs(common, i, fields[0]);
            }
            long sent = number(fields[1], id.index());
            long received = number(fields[2], id.index());
            if (sent != receives[i] || received != sends[i]) {
                throw failure(common + ": " + sends[i] + " elements for rank "
                        + id.ranks().get(i) + ", which expects " + received + ", and " + receives[i]
                        + " elements expected of it, which sends " + sent);
            }
        }
    }

    private static long number(String list, int index) {
        return Long.parseLong(list.substring(1, list.length() - 1).split(", ", -1)[index]);
    }

    private static long product(long[] shape) {
        return Arrays.stream(shape).reduce(1, (a, b) -> a * b);
    }

    private DistributedException differs(String mine, int index, String theirs) {
        return failure(mine + " differs from rank " + id.ranks().get(index) + ": " + theirs);
    }

    private DistributedException failure(String what) {
        return new DistributedException(Fault.CONFIG, id.label() + " " + what);
    }
}
