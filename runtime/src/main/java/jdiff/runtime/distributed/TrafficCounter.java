package jdiff.runtime.distributed;

import java.util.EnumMap;
import java.util.Map;
import jdiff.runtime.distributed.ProcessGroup.Operation;
import jdiff.runtime.distributed.ProcessGroup.Traffic;

/** Calls and bytes per operation; any thread may read. */
final class TrafficCounter {
    private final Map<Operation, Traffic> totals = new EnumMap<>(Operation.class);

    synchronized void count(Operation operation, long bytesSent) {
        Traffic old = of(operation);
        totals.put(operation, new Traffic(old.calls() + 1, old.bytesSent() + bytesSent));
    }

    synchronized Traffic of(Operation operation) {
        return totals.getOrDefault(operation, Traffic.NONE);
    }
}
