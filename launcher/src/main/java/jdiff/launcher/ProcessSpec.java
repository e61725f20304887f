package jdiff.launcher;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One process that will be started, as data.
 *
 * @param node name of the host
 * @param device for people, for instance {@code cuda:1}
 * @param controlled a Java worker: it has a control pipe on stdin and writes results to descriptor 3
 * @param environment variables set on top of the launcher's own, sorted
 * @param withheld variables of the launcher that it does not inherit
 * @param errorFile where the worker describes its failure
 */
public record ProcessSpec(
        int rank,
        int localRank,
        String node,
        String device,
        boolean controlled,
        List<String> command,
        Map<String, String> environment,
        List<String> withheld,
        String errorFile) {
    public ProcessSpec {
        command = List.copyOf(command);
        withheld = List.copyOf(withheld);
        environment = Collections.unmodifiableMap(new TreeMap<>(environment));
    }
}
