package jdiff.runtime.distributed;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdiff.runtime.fault.Fault;

/**
 * Ranks of a group tell each other a short text through the store: a barrier, a comparison, a roll call, without any connection
 * between them. Each call is one round; keys of earlier rounds are removed once nobody can read them.
 */
final class StoreGather {
    private final Store store;
    private final GroupId id;
    private final Duration timeout;
    private final Map<String, Long> pairRounds = new HashMap<>();
    private long round;

    /**
     * @param store keys of this group only
     */
    StoreGather(Store store, GroupId id, Duration timeout) {
        this.store = store;
        this.id = id;
        this.timeout = timeout;
    }

    /**
     * The texts of all ranks, in order of their index.
     *
     * @throws DistributedException {@link Fault#HANG} naming the ranks that did not come
     */
    List<String> all(String text) {
        long now = round++;
        store.set(key(now, id.index()), text);
        long deadline = System.nanoTime() + timeout.toNanos();
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < id.size(); i++) {
            texts.add(i == id.index() ? text : read(now, i, deadline));
        }
        // Everybody is in this round, so everybody has read what the last one held.
        if (now > 0) {
            store.delete(key(now - 1, id.index()));
        }
        return texts;
    }

    /** The text of the other side of a message between two ranks. */
    String pair(int from, int to, boolean sending, String text) {
        String pair = from + ">" + to;
        long now = pairRounds.merge(pair, 1L, Long::sum);
        String prefix = pair + "/" + now + "/";
        store.set(prefix + (sending ? "send" : "receive"), text);
        String other = prefix + (sending ? "receive" : "send");
        String theirs = store.getText(other, timeout);
        store.delete(other);
        return theirs;
    }

    private String read(long now, int index, long deadline) {
        Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
        try {
            return store.getText(key(now, index), left);
        } catch (DistributedException e) {
            if (e.fault() != Fault.HANG) {
                throw e;
            }
            throw new DistributedException(
                    Fault.HANG,
                    id.label() + " waited " + timeout.toSeconds() + " s for " + missing(now)
                            + "; look at the log of these ranks",
                    e);
        }
    }

    private String missing(long now) {
        List<String> ranks = new ArrayList<>();
        for (int i = 0; i < id.size(); i++) {
            if (!store.contains(key(now, i))) {
                ranks.add("rank " + id.ranks().get(i));
            }
        }
        return ranks.isEmpty() ? "a rank that came too late" : String.join(", ", ranks);
    }

    private static String key(long round, int index) {
        return round + "/" + index;
    }
}
