package jdiff.runtime.loading;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import jdiff.runtime.config.Shown;

/** How weight files are read. */
public enum WeightsIo {
    /** Mapped where that saves a copy and no server can be lost, else read; past the page cache if that is too small for the files. */
    AUTO,
    /** Positional reads: a file that shrinks or a bad disk is an error that names the place. */
    READ,
    /** The same, but a file that cannot be mapped is an error. Ranks of a node share one copy; one that shrinks ends the process. */
    MMAP,
    /** Reads past the page cache, for files larger than the memory. */
    DIRECT;

    /**
     * The way that is called {@code word}.
     *
     * @throws IllegalArgumentException naming all ways
     */
    public static WeightsIo of(String word) {
        for (WeightsIo io : values()) {
            if (io.toString().equals(word)) {
                return io;
            }
        }
        throw new IllegalArgumentException("\"" + Shown.cut(word, 80) + "\" is no way to read weights; wanted "
                + Arrays.stream(values()).map(WeightsIo::toString).collect(Collectors.joining(", ")));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
