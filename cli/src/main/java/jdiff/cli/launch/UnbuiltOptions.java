package jdiff.cli.launch;

import java.util.Map;
import java.util.Set;

/** Options of torchrun, or planned ones, that this build does not have: what to say to those who use them. */
final class UnbuiltOptions {
    private static final String SEVERAL_NODES = "is for several nodes, which are not supported yet: only --nnodes 1";
    private static final String PYTHON =
            "is not supported: run a Python module with `jdiff launch --no-java python -m …`";
    private static final String NOT_YET = "is not supported yet";

    private static final Map<String, String> MESSAGES = Map.ofEntries(
            Map.entry("--rdzv-backend", SEVERAL_NODES),
            Map.entry("--rdzv-endpoint", SEVERAL_NODES + "; for a fixed port use --master-port"),
            Map.entry("--rdzv-conf", SEVERAL_NODES),
            Map.entry("--local-addr", SEVERAL_NODES),
            Map.entry("--as-worker", SEVERAL_NODES),
            Map.entry("--token-file", SEVERAL_NODES),
            Map.entry("--module", PYTHON),
            Map.entry("-m", PYTHON),
            Map.entry("--run-path", PYTHON),
            Map.entry("--duplicate-stdout-filters", NOT_YET),
            Map.entry("--duplicate-stderr-filters", NOT_YET),
            Map.entry("--numa-binding", NOT_YET + "; bind the launcher with taskset or numactl"),
            Map.entry("--restart-scope", NOT_YET),
            Map.entry("--keep-going", NOT_YET),
            Map.entry("--silence-timeout", NOT_YET),
            Map.entry("--collective-timeout", NOT_YET),
            Map.entry("--early-exit-timeout", NOT_YET),
            Map.entry("--stdin", NOT_YET));

    private UnbuiltOptions() {}

    /** Whether the name is known to be missing. */
    static boolean has(String name) {
        return MESSAGES.containsKey(name);
    }

    static String message(String name) {
        return name + " " + MESSAGES.getOrDefault(name, NOT_YET);
    }

    static Set<String> names() {
        return MESSAGES.keySet();
    }
}
