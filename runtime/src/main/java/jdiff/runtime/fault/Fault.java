package jdiff.runtime.fault;

/** Causes of failure with their stable words and process exit codes; batch systems may list the codes in their policies. */
public enum Fault {
    ERROR("error", 1),
    USAGE("usage", 2),
    BAD_INPUT("bad-input", 65),
    NO_INPUT("no-input", 66),
    RENDEZVOUS("rendezvous", 69),
    PEER_LOST("peer-lost", 69),
    DEVICE("device", 71),
    OUTPUT("output", 73),
    IO("io", 74),
    UNFINISHED("unfinished", 75),
    HANG("hang", 76),
    REFUSED("refused", 77),
    CONFIG("config", 78),
    PARTIAL("partial", 79);

    private final String word;
    private final int exitCode;

    Fault(String word, int exitCode) {
        this.word = word;
        this.exitCode = exitCode;
    }

    /** The cause as it stands in error files and reports, for instance {@code bad-input}. */
    public String word() {
        return word;
    }

    public int exitCode() {
        return exitCode;
    }
}
