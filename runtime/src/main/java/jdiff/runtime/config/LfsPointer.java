package jdiff.runtime.config;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import jdiff.runtime.fault.Fault;
import jdiff.runtime.fault.FaultException;

/** Recognises what git leaves in place of a large file that was not fetched. */
public final class LfsPointer {
    /** Longer files are no pointers. */
    public static final int MAX_BYTES = 1024;

    private static final byte[] START = "version https://git-lfs".getBytes(StandardCharsets.US_ASCII);

    private LfsPointer() {}

    /**
     * Lets every other file pass.
     *
     * @param size of {@code file}
     * @param start its first bytes, at least {@link #MAX_BYTES} of them if it is that long
     * @param wanted what the file should be, for instance {@code weights}
     * @throws FaultException BAD_INPUT saying how to get the file itself
     */
    public static void refuse(Path file, long size, byte[] start, String wanted) throws FaultException {
        if (size >= MAX_BYTES || start.length < START.length) {
            return;
        }
        for (int i = 0; i < START.length; i++) {
            if (start[i] != START[i]) {
                return;
            }
        }
        String promised = "an unknown number of";
        for (String line : new String(start, StandardCharsets.ISO_8859_1).split("\n", -1)) {
            if (line.startsWith("size ")) {
                promised = Shown.cut(line.substring(5).trim(), 20);
            }
        }
        throw new FaultException(
                Fault.BAD_INPUT,
                file + ": Git LFS pointer, not " + wanted + ": it stands for a file of " + promised
                        + " bytes; run `git lfs pull` in the folder you cloned");
    }
}
