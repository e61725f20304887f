package jdiff.launcher;

import org.jspecify.annotations.Nullable;

/** Why a job or a rank ended: a stable word and a stable exit code, which batch systems may list in their policies. */
public enum Cause {
    OK("ok", 0),
    ERROR("error", 1),
    USAGE("usage", 2),
    JAVA_OOM("java-oom", 3),
    BAD_INPUT("bad-input", 65),
    NO_INPUT("no-input", 66),
    RENDEZVOUS("rendezvous", 69),
    /** A rank that failed only because another one had: never the root cause while another candidate exists. */
    PEER_LOST("peer-lost", 69),
    DEVICE("device", 71),
    NODE_LOST("node-lost", 72),
    OUTPUT("output", 73),
    IO("io", 74),
    UNFINISHED("unfinished", 75),
    HANG("hang", 76),
    REFUSED("refused", 77),
    CONFIG("config", 78),
    PARTIAL("partial", 79),
    UNKILLABLE("unkillable", 80),
    EARLY_EXIT("early-exit", 81),
    NOT_EXECUTABLE("exec", 126),
    NOT_FOUND("exec", 127);

    private final String word;
    private final int exitCode;

    Cause(String word, int exitCode) {
        this.word = word;
        this.exitCode = exitCode;
    }

    /** The cause as it stands in error files, reports and summaries. */
    public String word() {
        return word;
    }

    public int exitCode() {
        return exitCode;
    }

    /** The first cause with this exit code; null where the code has no meaning of ours. */
    public static @Nullable Cause ofCode(int exitCode) {
        for (Cause cause : values()) {
            if (cause.exitCode == exitCode) {
                return cause;
            }
        }
        return null;
    }
}
