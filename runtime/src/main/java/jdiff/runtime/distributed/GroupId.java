package jdiff.runtime.distributed;

import java.util.List;

/** Which group this is, seen from one of its ranks. */
record GroupId(int worldRank, String axis, List<Integer> ranks) {
    GroupId {
        ranks = List.copyOf(ranks);
        if (!ranks.contains(worldRank)) {
            throw new IllegalArgumentException("rank " + worldRank + " is not in the " + axis + " group " + ranks);
        }
    }

    int index() {
        return ranks.indexOf(worldRank);
    }

    int size() {
        return ranks.size();
    }

    /** The same on every member, different for every other group of the job. */
    String key() {
        StringBuilder text = new StringBuilder(axis);
        for (int rank : ranks) {
            text.append(text.length() == axis.length() ? '/' : ',').append(rank);
        }
        return text.toString();
    }

    /** For instance {@code [rank 2, cp 1/4]}. */
    String label() {
        return "[rank " + worldRank + ", " + axis + " " + index() + "/" + size() + "]";
    }
}
