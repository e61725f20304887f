package jdiff.launcher;

import jdiff.launcher.host.Host;

/**
 * Which ranks exist and on what they run. One node for now: local ranks are global ranks.
 *
 * @param perNode workers of this node, at least 1
 * @param device {@code cpu} or {@code cuda}
 * @param virtualLocalRank every worker sees LOCAL_RANK 0 and one device
 */
public record Ranks(int perNode, String jobId, String role, String device, boolean virtualLocalRank) {
    public Ranks {
        if (perNode < 1) {
            throw new IllegalArgumentException("--nproc-per-node must be at least 1, found " + perNode);
        }
        if (!device.equals("cpu") && !device.equals("cuda")) {
            throw new IllegalArgumentException("device must be cpu or cuda, found " + device);
        }
    }

    public int worldSize() {
        return perNode;
    }

    /** The device of a rank as shown to people: {@code cpu}, or {@code cuda:1 (GPU-8f2a…)}. */
    String deviceOf(int localRank, Host host) {
        if (device.equals("cpu")) {
            return device;
        }
        int count = Math.max(1, host.gpus().size());
        int index = localRank % count;
        String name = host.gpus().isEmpty() ? "" : host.gpus().get(index);
        String shown = "cuda:" + (virtualLocalRank ? 0 : index);
        return name.equals(Integer.toString(index)) && !virtualLocalRank ? shown : shown + " (" + name + ")";
    }
}
