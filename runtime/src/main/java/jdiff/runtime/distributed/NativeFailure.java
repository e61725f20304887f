package jdiff.runtime.distributed;

import java.util.List;
import java.util.Locale;
import jdiff.runtime.fault.Fault;

/** Reads the texts that libtorch, Gloo and NCCL throw: which fault it is, and the one line that says something. */
final class NativeFailure {
    private static final List<String> LOST = List.of(
            "connection closed by peer",
            "connection reset",
            "broken pipe",
            "connection was closed",
            "connection refused",
            "failed to recv",
            "remote process exited",
            "socket closed");
    private static final List<String> SILENT = List.of("timed out", "timeout");

    private NativeFailure() {}

    static DistributedException of(RuntimeException cause) {
        String line = line(cause);
        return new DistributedException(faultOf(line), line, cause);
    }

    static Fault faultOf(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        if (LOST.stream().anyMatch(lower::contains)) {
            return Fault.PEER_LOST;
        }
        return SILENT.stream().anyMatch(lower::contains) ? Fault.HANG : Fault.ERROR;
    }

    /** The first line, without the build machine's source path in front and the C++ stack behind. */
    static String line(RuntimeException cause) {
        String text = String.valueOf(cause.getMessage());
        int end = text.indexOf('\n');
        String first = end < 0 ? text : text.substring(0, end);
        int path = first.indexOf("] ");
        if (first.startsWith("[/") && path > 0) {
            first = first.substring(path + 2);
        }
        return first;
    }
}
